package millearena.sdk;

/** Which of the three games is played. */
public enum Family {
  /** Points, hand after hand. */
  CLASSIC,
  /** Four cards, two piles to draw from, a single hand. */
  EXPRESS,
  /** A board with cars, a single hand. */
  PLATEAU;

  /** Whether played cards stay on the table; in Plateau only tokens do. */
  public boolean keepsCardsOnTable() {
    return this != PLATEAU;
  }
}
