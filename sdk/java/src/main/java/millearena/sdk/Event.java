package millearena.sdk;

/**
 * One thing that happened at the table, as your seat may know it.
 *
 * @param kind what happened
 * @param seat who did it
 * @param card which card; null when you may not know it, or there is none
 * @param team the team that a hazard was laid on, else {@link Action#NO_TEAM}
 */
public record Event(Kind kind, int seat, Card card, int team) {
  /** What can happen. A response that passes leaves no event. */
  public enum Kind {
    /** A card from the draw pile; only the drawer knows which. */
    DRAWN,
    /** The top card of the discard pile; if it lay face down, only the taker knows which. */
    TAKEN,
    /** A distance, remedy or safety on the seat's own table. */
    PLAYED,
    /** Face down in the classic game, where only the seat itself knows the card. */
    DISCARDED,
    COUP_FOURRE,
    EXTENDED,
    STOPPED,
    /** The card put on top of the discard pile. */
    TOPPED,
    /** The discard pile became the draw pile. */
    RESHUFFLED,
    /** A hazard on the table of {@code team}. */
    LAID
  }
}
