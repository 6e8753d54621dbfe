package millearena.sdk;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What lies before one team. Public. Sets are in deck order, piles have their top last.
 *
 * @param battle the battle pile; in Plateau the token, if any
 * @param speed the speed pile; in Plateau the token, if any
 * @param distance the distance cards, in the order in which they were played
 * @param safeties the safeties exposed
 * @param coupsFourres those of them that were exposed as a coup fourré
 * @param km kilometres travelled, bonus included
 * @param bonusKm kilometres gained by safeties (Express)
 * @param started whether the car has started
 * @param moving whether a distance card may be played now, limits aside
 * @param limited whether nothing above 50 km may be played
 * @param accepts every card that its own team could play on it now, if it had it
 * @param suffers the hazards that other teams could lay on it now
 */
public record TableView(
    List<Card> battle,
    List<Card> speed,
    List<Card> distance,
    Set<Card> safeties,
    Set<Card> coupsFourres,
    int km,
    int bonusKm,
    boolean started,
    boolean moving,
    boolean limited,
    Set<Card> accepts,
    Set<Card> suffers) {

  /**
   * The hazard that keeps the car from driving, if one does. A car may stand without: it waits for
   * a Green Light then (see {@link #needs}).
   */
  public Optional<Card> stoppedBy() {
    return top(battle).filter(card -> card.isHazard() && !isImmune(card));
  }

  /** The hazards in force: the one that stops the car, and a speed limit. */
  public List<Card> hazards() {
    List<Card> hazards = new ArrayList<>(2);
    stoppedBy().ifPresent(hazards::add);
    if (limited) {
      hazards.add(Card.SPEED_LIMIT);
    }
    return List.copyOf(hazards);
  }

  /** The remedies that would help now, in deck order; none if nothing is wrong. */
  public List<Card> needs() {
    return Card.REMEDIES.stream().filter(accepts::contains).toList();
  }

  /** Whether an exposed safety protects it from a hazard for the rest of the hand. */
  public boolean isImmune(Card hazard) {
    return safeties.contains(hazard.safety());
  }

  /** The top card of a pile, such as {@code table.speed()}, if there is one. */
  public static Optional<Card> top(List<Card> pile) {
    return pile.isEmpty() ? Optional.empty() : Optional.of(pile.get(pile.size() - 1));
  }
}
