package millearena.sdk;

/**
 * It is over for this process.
 *
 * @param games games played, of which
 * @param won your team won, and
 * @param drawn nobody won
 * @param outcome how it ended
 * @param detail what broke it off, with limits and values; empty if nothing did
 */
public record MatchResult(int games, int won, int drawn, Outcome outcome, String detail) {
  /** Games that another team won. */
  public int lost() {
    return games - won - drawn;
  }

  /** How it ended. */
  public enum Outcome {
    /** All games were played out. */
    COMPLETED,
    /** A bot has forfeited. */
    FORFEIT,
    /** The host has failed: the match does not count and is played again. */
    VOID,
    /** An outcome that is newer than this SDK. */
    UNKNOWN
  }
}
