package millearena.sdk;

import java.util.List;

/**
 * One kind of card, in deck order: {@code Card.D25.ordinal()} is 0, that of {@code DRIVING_ACE} 18.
 * Cards of one kind are all alike.
 */
public enum Card {
  D25,
  D50,
  D75,
  D100,
  D200,
  RED_LIGHT,
  SPEED_LIMIT,
  OUT_OF_GAS,
  FLAT_TIRE,
  ACCIDENT,
  GREEN_LIGHT,
  END_OF_LIMIT,
  GASOLINE,
  SPARE_TIRE,
  REPAIRS,
  RIGHT_OF_WAY,
  EXTRA_TANK,
  PUNCTURE_PROOF,
  DRIVING_ACE;

  /** Every card, in deck order. */
  public static final List<Card> ALL = List.of(values());

  /** The distance cards, shortest first. */
  public static final List<Card> DISTANCES = ALL.subList(0, 5);

  /** What one lays on others. */
  public static final List<Card> HAZARDS = ALL.subList(5, 10);

  /** What one lays on hazards, in the order of {@link #HAZARDS}. */
  public static final List<Card> REMEDIES = ALL.subList(10, 15);

  /** What protects for the rest of the hand. */
  public static final List<Card> SAFETIES = ALL.subList(15, 19);

  private static final int[] KM = {25, 50, 75, 100, 200};

  /** Whether it is driven. */
  public boolean isDistance() {
    return ordinal() < 5;
  }

  /** Whether it is laid on others. */
  public boolean isHazard() {
    return ordinal() >= 5 && ordinal() < 10;
  }

  /** Whether it lifts a hazard. */
  public boolean isRemedy() {
    return ordinal() >= 10 && ordinal() < 15;
  }

  /** Whether it protects from hazards. */
  public boolean isSafety() {
    return ordinal() >= 15;
  }

  /** Kilometres; 0 if it is no distance. */
  public int km() {
    return isDistance() ? KM[ordinal()] : 0;
  }

  /**
   * The remedy that lifts this hazard.
   *
   * @throws IllegalStateException it is no hazard
   */
  public Card remedy() {
    requireHazard("remedy");
    return ALL.get(ordinal() + 5);
  }

  /**
   * The safety that answers this hazard.
   *
   * @throws IllegalStateException it is no hazard
   */
  public Card safety() {
    requireHazard("safety");
    // A red light and a speed limit have the same one.
    return this == RED_LIGHT ? RIGHT_OF_WAY : ALL.get(ordinal() + 9);
  }

  private void requireHazard(String what) {
    if (!isHazard()) {
      throw new IllegalStateException(this + " has no " + what + ": it is no hazard");
    }
  }
}
