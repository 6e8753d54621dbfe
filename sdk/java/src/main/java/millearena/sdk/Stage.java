package millearena.sdk;

/** What a hand waits for. */
public enum Stage {
  /** From which pile to draw (Express). */
  DRAW,
  /** Which card to play or discard. */
  PLAY,
  /** Whether to answer an attack with a coup fourré. */
  RESPOND,
  /** Whether to go on to 1000 km. */
  EXTEND,
  /** Which card comes to lie on top of the discard pile (Express). */
  TOP,
  /** Nothing: the hand has ended. */
  OVER
}
