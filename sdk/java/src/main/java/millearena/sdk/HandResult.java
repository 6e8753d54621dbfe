package millearena.sdk;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * A hand is over.
 *
 * @param game its game, as in prompts
 * @param hand its number, as in prompts
 * @param reason why it ended
 * @param winner the team that finished or, in a game without points, was ahead
 * @param km kilometres by team, bonus included
 * @param points points of this hand by team; empty where the game has none
 * @param sheets by team, where they come from; empty where the game has none
 * @param scores match points by team after this hand; hands won, where there are no points
 * @param gameOver whether the game has ended with it
 * @param gameWinner the team that won the game; empty while it goes on, and for a draw
 * @param events what happened since you were last asked
 */
public record HandResult(
    int game,
    int hand,
    Reason reason,
    OptionalInt winner,
    List<Integer> km,
    List<Integer> points,
    List<Map<Item, Integer>> sheets,
    List<Integer> scores,
    boolean gameOver,
    OptionalInt gameWinner,
    List<Event> events) {

  /** Why a hand is over. */
  public enum Reason {
    /** A team reached the target. */
    TARGET,
    /** No cards are left that could be played. */
    EXHAUSTED,
    /** The draw pile is out and nobody who has cards can play one. */
    BLOCKED,
    /** A reason that is newer than this SDK. */
    UNKNOWN
  }

  /** A line of the score sheet. */
  public enum Item {
    DISTANCE,
    SAFETIES,
    ALL_SAFETIES,
    COUPS_FOURRES,
    COMPLETED,
    EXTENSION,
    SAFE_TRIP,
    DELAYED_ACTION,
    SHUTOUT
  }
}
