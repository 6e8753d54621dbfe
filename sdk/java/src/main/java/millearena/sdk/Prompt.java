package millearena.sdk;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * One question, with everything that your seat may know. Immutable.
 *
 * @param view the hand as your seat may know it
 * @param legal the legal actions, at least one: plays in deck order, attacks, discards
 * @param defaultAction what is played if no answer comes in time
 * @param timeLimit what the answer may take for free; for a response, at all
 * @param bankLeft what is in the bank, from which comes what takes longer; a response has none
 * @param game number of this game, from 0
 * @param hand number of this hand in the game, from 0
 * @param arrived when the prompt came, on {@link System#nanoTime}
 */
public record Prompt(
    View view,
    List<Action> legal,
    Action defaultAction,
    Duration timeLimit,
    Duration bankLeft,
    int game,
    int hand,
    long arrived) {
  private static final List<Action> ONLY_PASS = List.of(Action.PASS);

  /** What is asked: DRAW, PLAY, RESPOND, EXTEND or TOP. */
  public Stage kind() {
    return view.stage();
  }

  /** Whether the bot is asked: not if it can only pass. */
  public boolean hasChoice() {
    return !legal.equals(ONLY_PASS);
  }

  /** Until the answer is late, by this machine's clock; zero when it is. The referee's decides. */
  public Duration timeLeft() {
    return timeLeft(true);
  }

  /** With {@code bank} false: until the answer costs something. */
  public Duration timeLeft(boolean bank) {
    Duration limit = bank && kind() != Stage.RESPOND ? timeLimit.plus(bankLeft) : timeLimit;
    Duration left = limit.minusNanos(System.nanoTime() - arrived);
    return left.isNegative() ? Duration.ZERO : left;
  }

  /** Distance cards that can be played, shortest first. */
  public List<Action> drives() {
    return those(one -> one.isPlay() && one.card().isDistance());
  }

  /** Remedies that can be played. */
  public List<Action> remedies() {
    return those(one -> one.isPlay() && one.card().isRemedy());
  }

  /** Safeties that can be played. */
  public List<Action> safeties() {
    return those(one -> one.isPlay() && one.card().isSafety());
  }

  /** Cards that can be laid on one's own table: the three above. */
  public List<Action> plays() {
    return those(Action::isPlay);
  }

  /** Hazards that can be laid on others; each says on which {@code team}. */
  public List<Action> attacks() {
    return those(Action::isAttack);
  }

  /** Cards that can be thrown away. */
  public List<Action> discards() {
    return those(one -> one.verb() == Verb.DISCARD);
  }

  /** The coup fourré that answers the attack, if one can be played. */
  public Optional<Action> coupFourre() {
    return legal.stream().filter(one -> one.verb() == Verb.COUP_FOURRE).findFirst();
  }

  /** The legal action of that text, such as {@code draw discard}, if it is legal now. */
  public Optional<Action> find(String text) {
    return legal.stream().filter(one -> one.text().equals(text)).findFirst();
  }

  private List<Action> those(Predicate<Action> wanted) {
    return legal.stream().filter(wanted).toList();
  }

  Prompt with(View other) {
    return new Prompt(other, legal, defaultAction, timeLimit, bankLeft, game, hand, arrived);
  }
}
