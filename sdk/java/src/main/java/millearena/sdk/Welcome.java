package millearena.sdk;

import java.time.Duration;

/**
 * A game begins.
 *
 * @param seat your seat in this game, from 0
 * @param seating who plays with whom
 * @param rules the rules, every option
 * @param time how long answers may take
 * @param windowMode how response windows are run
 * @param faults what you may do wrong, and how often
 * @param knowledge who knows what
 * @param game number of this game, from 0
 * @param games how many games will be played on this stream
 */
public record Welcome(
    int seat,
    Seating seating,
    RuleSet rules,
    TimeControl time,
    WindowMode windowMode,
    FaultBudget faults,
    Knowledge knowledge,
    int game,
    int games) {

  /** Your team in this game. */
  public int team() {
    return seating.teamOf(seat);
  }

  /** How it is found out whether an attack is answered with a coup fourré. */
  public enum WindowMode {
    /** The attacked team is asked; the window closes when all who are asked have answered. */
    PROMPT,
    /** The same, but the window lasts its full time unless a coup fourré is played. */
    SEALED,
    /** Nobody is asked: standing orders decide at once. */
    STANDING,
    /** A mode that is newer than this SDK. */
    UNKNOWN
  }

  /**
   * How long answers may take.
   *
   * @param startUp from the start of the bot's process until it has joined
   * @param turn free time for each prompt but those of a response window
   * @param bank what prompts take beyond {@code turn} comes out of it; one for each game
   * @param responseWindow for a response, never charged to the bank
   */
  public record TimeControl(
      Duration startUp, Duration turn, Duration bank, Duration responseWindow) {}

  /**
   * What a bot may do wrong in a match before it forfeits.
   *
   * @param maxStrikes prompts that timed out or were answered with something illegal
   * @param messagesPerPrompt messages for each prompt, the answer and notes together
   * @param surplusMessages messages beyond that, and answers that are late, doubled or to no prompt
   * @param noteBytes bytes of a note that are kept
   */
  public record FaultBudget(
      int maxStrikes, int messagesPerPrompt, int surplusMessages, int noteBytes) {}

  /**
   * Who knows what at the table.
   *
   * @param discardsFaceDown only who discarded a card knows it
   * @param stripedDraw the draw pile is dealt into one stripe for each seat
   * @param frozenBetweenPrompts a bot stands still while it has no open prompt
   */
  public record Knowledge(
      boolean discardsFaceDown, boolean stripedDraw, boolean frozenBetweenPrompts) {}
}
