package millearena.sdk;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Everything that your seat may know about a hand. Immutable.
 *
 * <p>What a bot plays from stands first; what completes the state of the game, for programs that
 * search, is in {@link #details}.
 *
 * @param seat your seat
 * @param stage what is asked now
 * @param asked the seats that are asked, as far as you may know
 * @param cards your hand, in deck order
 * @param sizes cards in hand, by seat
 * @param tables what lies before each team
 * @param drawCount cards in the draw pile
 * @param discardPile the discard pile, top last; null for a card that you have not seen
 * @param target kilometres that end the hand
 * @param turn whose turn it is; in a response window still the attacker's
 * @param attack the hazard under response, or covered by a remedy
 * @param attackedTeam the team under attack
 * @param known Express: by seat, the cards that everybody knows to be in that hand; else empty
 * @param history what happened since you were last asked, in this hand, oldest first
 * @param rules every option
 * @param seating who plays with whom
 * @param scores match points of each team before this hand; hands won, where there are no points
 * @param details the rest
 */
public record View(
    int seat,
    Stage stage,
    List<Integer> asked,
    List<Card> cards,
    List<Integer> sizes,
    List<TableView> tables,
    int drawCount,
    List<Card> discardPile,
    int target,
    int turn,
    Optional<Card> attack,
    OptionalInt attackedTeam,
    List<CardCounts> known,
    List<Event> history,
    RuleSet rules,
    Seating seating,
    List<Integer> scores,
    Details details) {

  /**
   * What a program that searches needs besides.
   *
   * @param firstEvent the number of the first event of {@code history}, from 0 in each hand
   * @param eventCount how many events the hand has had
   * @param dealer who dealt this hand
   * @param discardKnownTo by card of the discard pile, the one seat that knows it, or -1 if
   *     everybody does; empty if everybody knows all of them
   * @param stripes striped draw: cards left in each seat's own stripe of the draw pile; else empty
   * @param drawsDue DRAW: cards that the seat on turn has still to draw, this one included
   * @param resume EXTEND: how it goes on, {@code end_turn}, {@code after_safety} or {@code
   *     after_coup_fourre}
   * @param extendedBy the team that extended the hand
   * @param ranOut whether the draw pile has run out at some time in this hand
   * @param dryStart whether it was empty when this turn began
   * @param idleTurns Express: turns since anybody drew from the pile or laid a card; -1 within one
   * @param circlingTurns the same, counting only cards laid for good
   * @param fresh whether a distance or a safety was played since the last reshuffle
   * @param reshuffles how often the discard pile has become the draw pile
   */
  public record Details(
      int firstEvent,
      int eventCount,
      int dealer,
      List<Integer> discardKnownTo,
      List<Integer> stripes,
      int drawsDue,
      String resume,
      OptionalInt extendedBy,
      boolean ranOut,
      boolean dryStart,
      int idleTurns,
      int circlingTurns,
      boolean fresh,
      int reshuffles) {
    Details since(int event) {
      return new Details(
          event,
          eventCount,
          dealer,
          discardKnownTo,
          stripes,
          drawsDue,
          resume,
          extendedBy,
          ranOut,
          dryStart,
          idleTurns,
          circlingTurns,
          fresh,
          reshuffles);
    }
  }

  /** Your team. */
  public int team() {
    return seating.teamOf(seat);
  }

  /** What lies before your team. */
  public TableView table() {
    return tables.get(team());
  }

  /** How many of each card you hold. */
  public CardCounts hand() {
    return CardCounts.of(cards);
  }

  /** The other teams. */
  public List<Integer> rivals() {
    int own = team();
    return IntStream.range(0, tables.size()).filter(team -> team != own).boxed().toList();
  }

  /** Kilometres that you have still to drive. */
  public int toGo() {
    return toGo(team());
  }

  /** Kilometres that a team has still to drive. */
  public int toGo(int team) {
    return target - tables.get(team).km();
  }

  /**
   * How many of each card you cannot place: they are in other hands, in the draw pile and face down
   * on the discard pile.
   */
  public CardCounts unseen() {
    CardCounts left = rules.deck(seating.players()).less(cards);
    left = left.less(discardPile.stream().filter(card -> card != null).toList());
    if (rules.family().keepsCardsOnTable()) {
      for (TableView table : tables) {
        left = left.less(table.battle()).less(table.speed()).less(table.distance());
        left = left.less(table.safeties());
      }
    }
    for (int other = 0; other < known.size(); other++) {
      left = other == seat ? left : left.less(known.get(other));
    }
    return left;
  }

  /** The same with a longer history, which begins with event number {@code first}. */
  View withHistory(List<Event> events, int first) {
    return new View(
        seat,
        stage,
        asked,
        cards,
        sizes,
        tables,
        drawCount,
        discardPile,
        target,
        turn,
        attack,
        attackedTeam,
        known,
        events,
        rules,
        seating,
        scores,
        details.since(first));
  }
}
