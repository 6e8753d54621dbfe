package millearena.sdk;

import java.util.OptionalInt;

/**
 * The rules of a match, every option as {@code arena rules} lists and explains them. An option that
 * the family does not have holds the value that changes nothing.
 *
 * @param preset the preset that they were made from, such as {@code classic}
 * @param family which of the three games is played
 * @param target kilometres that end a hand
 * @param max200 how many 200 km cards a team may play in a hand; empty: any number
 */
public record RuleSet(
    String preset,
    Family family,
    int target,
    boolean extension,
    boolean failedExtensionBonus,
    OptionalInt max200,
    boolean lateSafetyRestarts,
    boolean exhaustedSafetyReplays,
    boolean discardVisible,
    boolean forcedPlay,
    boolean reshuffle,
    String delayedActionTrigger,
    int fourSafetiesBonus,
    String shutoutRule,
    int matchPoints,
    String matchTie,
    int maxHands,
    boolean deck2pReduction,
    boolean allowIndividual4,
    OptionalInt firstDealer,
    int firstPlayer,
    int safetyKm,
    int coupFourreKm,
    String bonusOverflow,
    String expressSafetyDraw,
    String expressExhaustedDraw,
    int expressStallRounds,
    boolean topChoice,
    boolean plateauGreenLightToStart,
    String plateauExhaustion) {

  private static final CardCounts CLASSIC =
      new CardCounts(10, 10, 10, 12, 4, 5, 4, 3, 3, 3, 14, 6, 6, 6, 6, 1, 1, 1, 1);
  private static final CardCounts SHORT = CLASSIC.less(Card.HAZARDS);
  private static final CardCounts EXPRESS =
      new CardCounts(6, 6, 6, 10, 3, 2, 2, 2, 2, 2, 5, 4, 4, 4, 4, 1, 1, 1, 1);

  /** Whether a hand makes points (classic); the other games have a winner only. */
  public boolean isScored() {
    return family == Family.CLASSIC;
  }

  /** What is in the deck for so many players. */
  public CardCounts deck(int players) {
    if (family == Family.EXPRESS) {
      return EXPRESS;
    }
    return deck2pReduction && players <= 3 ? SHORT : CLASSIC;
  }
}
