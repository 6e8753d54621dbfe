import java.util.List;
import millearena.sdk.Action;
import millearena.sdk.Arena;
import millearena.sdk.Bot;
import millearena.sdk.Prompt;

/** Plays any legal action. */
public final class RandomBot extends Bot {
  @Override
  public Action choose(Prompt prompt) {
    List<Action> legal = prompt.legal();
    return legal.get(rng().nextInt(legal.size()));
  }

  public static void main(String[] arguments) {
    Arena.run(new RandomBot());
  }
}
