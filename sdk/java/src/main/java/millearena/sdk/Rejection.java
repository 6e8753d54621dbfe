package millearena.sdk;

import java.util.Optional;

/**
 * The default action was played for you.
 *
 * @param reason why
 * @param detail the same in words, with limits and values
 * @param played what was played; empty if this SDK does not know it
 * @param strikes your strikes so far; a missed response window is none
 */
public record Rejection(Reason reason, String detail, Optional<Action> played, int strikes) {
  /** Why the default action was played for a seat. */
  public enum Reason {
    TIMED_OUT,
    ILLEGAL,
    MALFORMED,
    /** A reason that is newer than this SDK. */
    UNKNOWN
  }
}
