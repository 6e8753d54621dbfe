package millearena.sdk;

import java.util.Collection;
import java.util.List;
import java.util.Random;

/**
 * A player. Derive from it, write {@link #choose}, and hand an instance to {@link Arena#run}.
 *
 * <p>One process plays one stream of games, and is asked and told things one after the other, in
 * one thread, in the order in which they happened:
 *
 * <pre>
 * gameStarted                     for each game
 *     handStarted                 for each hand
 *         saw                     what has happened, before each question
 *         choose, respond         a question
 *         standingOrders          only where response windows are run so
 *         rejected                what was played for you instead
 *     handOver
 * matchOver
 * </pre>
 *
 * <p>{@code choose} is needed, the other methods are hooks that do nothing by themselves. What a
 * method throws does not end the match: the trace goes to standard error, which is your log, and
 * for a question the default is played. All of it runs on your own time.
 */
public abstract class Bot {
  private static final String FIXED_SEED = "arena_sdk";

  private Notes notes;
  private Random random;

  /** Answers a prompt with one of {@code prompt.legal()}. */
  public abstract Action choose(Prompt prompt) throws Exception;

  /**
   * Answers an attack: the coup fourré or {@code pass}. Asked only if this seat holds the safety;
   * otherwise the SDK passes, at once. By default {@link #choose} is asked.
   */
  public Action respond(Prompt prompt) throws Exception {
    return choose(prompt);
  }

  /**
   * The hazards to answer with a coup fourré until the next answer: asked after each answer where
   * the window mode is STANDING, and {@link #respond} is not asked there. By default every hazard
   * whose safety is in hand.
   */
  public Collection<Card> standingOrders(Prompt prompt) throws Exception {
    List<Card> cards = prompt.view().cards();
    return Card.HAZARDS.stream().filter(hazard -> cards.contains(hazard.safety())).toList();
  }

  /** A game begins. */
  public void gameStarted(Welcome welcome) throws Exception {}

  /** This is the first that you hear of a hand; others may have played in it already. */
  public void handStarted(int game, int hand) throws Exception {}

  /**
   * What has happened in this hand since the last time, oldest first: every event that your seat
   * may know, each once, those of windows in which you were not asked included.
   */
  public void saw(List<Event> events) throws Exception {}

  /** The default action was played for you, because an answer was late or not legal. */
  public void rejected(Rejection rejection) throws Exception {}

  /** A hand has ended. */
  public void handOver(HandResult result) throws Exception {}

  /** It is over; the process ends after this. */
  public void matchOver(MatchResult result) throws Exception {}

  /** What the bot calls itself in logs; by default the name of its class. */
  public String name() {
    return getClass().getSimpleName();
  }

  /** Its version, for logs. */
  public String version() {
    return "";
  }

  /**
   * Writes a line to your log; no other seat sees it. It goes along with the next answer, as many
   * lines and as long as {@code welcome.faults()} says; more are dropped and counted. Outside a
   * match it goes to standard error.
   */
  public final void note(String text) {
    if (notes == null) {
      System.err.println(text);
    } else {
      notes.add(String.valueOf(text));
    }
  }

  /**
   * Chance of your own, from ARENA_BOT_SEED, so that a match can be repeated. Outside a match it is
   * always the same chance.
   */
  public final Random rng() {
    if (random == null) {
      String seed = System.getenv().getOrDefault(Environment.SEED, FIXED_SEED);
      random = new Random(Environment.number(seed));
    }
    return random;
  }

  final void take(Notes waiting) {
    notes = waiting;
  }
}
