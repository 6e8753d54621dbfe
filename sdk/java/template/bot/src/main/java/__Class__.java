import millearena.sdk.Action;
import millearena.sdk.Arena;
import millearena.sdk.Bot;
import millearena.sdk.Prompt;

/** __name__: gets the car going, drives as far as it can, else attacks. */
public final class __Class__ extends Bot {
  /** Answers one question with one of {@code prompt.legal()}. */
  @Override
  public Action choose(Prompt prompt) {
    if (prompt.coupFourre().isPresent()) {
      return prompt.coupFourre().get(); // 300 points, and the turn
    }
    if (!prompt.remedies().isEmpty()) {
      return prompt.remedies().get(0);
    }
    if (!prompt.drives().isEmpty()) {
      return prompt.drives().get(prompt.drives().size() - 1); // the longest
    }
    if (!prompt.attacks().isEmpty()) {
      return prompt.attacks().get(0);
    }
    return prompt.defaultAction(); // throws away the lowest card, but no safety
  }

  public static void main(String[] arguments) {
    Arena.run(new __Class__());
  }
}
