import millearena.sdk.Action;
import millearena.sdk.Arena;
import millearena.sdk.Bot;
import millearena.sdk.Prompt;

/**
 * Keeps safeties for the coup fourré, counts cards, and knows what each card in hand is worth.
 *
 * <p>Every action gets a whole number, and the highest is played; the first of equals in the order
 * of {@code legal}. There is no chance in it and no memory: the same view always gives the same
 * answer.
 */
public final class KeeperBot extends Bot {
  @Override
  public Action choose(Prompt prompt) {
    Look look = new Look(prompt.view());
    return switch (prompt.kind()) {
      case RESPOND -> prompt.coupFourre().orElse(prompt.defaultAction());
      case DRAW -> prompt.legal().get(look.takesOpenCard() ? 1 : 0); // draw pile, draw discard
      case PLAY -> best(prompt, look);
      case EXTEND -> prompt.legal().get(look.shouldExtend() ? 0 : 1); // extend, stop
      default -> prompt.defaultAction(); // the remedy goes on top
    };
  }

  private static Action best(Prompt prompt, Look look) {
    Action best = null;
    int most = Integer.MIN_VALUE;
    for (Action action : prompt.legal()) {
      int worth = look.worth(action);
      if (worth > most) {
        best = action;
        most = worth;
      }
    }
    return best;
  }

  public static void main(String[] arguments) {
    Arena.run(new KeeperBot());
  }
}
