import static millearena.sdk.Card.D200;
import static millearena.sdk.Card.D75;
import static millearena.sdk.Card.END_OF_LIMIT;
import static millearena.sdk.Card.GREEN_LIGHT;
import static millearena.sdk.Card.RED_LIGHT;
import static millearena.sdk.Card.RIGHT_OF_WAY;
import static millearena.sdk.Card.SPEED_LIMIT;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import millearena.sdk.Action;
import millearena.sdk.Card;
import millearena.sdk.CardCounts;
import millearena.sdk.Family;
import millearena.sdk.TableView;
import millearena.sdk.Verb;
import millearena.sdk.View;

/**
 * A view, and what the keeper thinks of it. The scale: 100,000 ends the hand; 2,500 stops an
 * opponent; 500 to 700 is an ordinary move; below 0 are discards, the more useful the card the
 * lower. The numbers come from playing many boards.
 */
final class Look {
  /** What the first copy of a card in hand is worth keeping, by kind; safeties always are. */
  private static final Map<Family, int[]> KEEP =
      Map.of(
          // 25  50  75  100  200  red limit gas tire crash green end gas tire repairs
          Family.CLASSIC,
          new int[] {40, 80, 80, 110, 170, 220, 120, 260, 260, 260, 220, 160, 180, 180, 180},
          Family.EXPRESS,
          new int[] {40, 80, 90, 130, 170, 130, 80, 90, 90, 90, 170, 110, 130, 130, 130},
          Family.PLATEAU,
          new int[] {40, 80, 100, 130, 160, 160, 130, 260, 260, 260, 200, 120, 180, 180, 180});

  private static final int ENDS = 100_000;
  private static final int FREES = 1800; // a safety against a hazard whose remedy is not in hand
  private static final int STARTS = 1500; // Right of Way for a Green Light that is not in hand
  private static final int LAST_CHANCE = 2400; // a safety that will hardly see its attack any more
  private static final int DRAWS = 4000; // Plateau: no points for a coup fourré, so draw at once
  private static final int HOLD = -900; // a safety that waits
  private static final int NEARLY_THERE = 200; // km: a rival that rolls may end the hand before
  private static final int FEW_TURNS = 2; // left to each seat before the draw pile is out

  private final View view;
  private final Family family;
  private final TableView table;
  private final CardCounts hand;
  private final CardCounts unseen;
  private final int toGo;
  private final List<TableView> rivals;
  private final int turns;
  private final boolean replays;
  private final boolean stands;
  private final boolean finishes;

  Look(View view) {
    this.view = view;
    family = view.rules().family();
    table = view.table();
    hand = view.hand();
    unseen = view.unseen();
    toGo = view.toGo();
    rivals = view.rivals().stream().map(view.tables()::get).toList();
    turns = view.drawCount() / view.sizes().size();
    replays = view.drawCount() > 0 || view.rules().exhaustedSafetyReplays();
    stands =
        !table.moving()
            && table.needs().stream().noneMatch(card -> card != END_OF_LIMIT && hand.has(card));
    finishes =
        table.accepts().stream()
            .anyMatch(card -> hand.has(card) && card.isDistance() && card.km() == toGo);
  }

  int worth(Action action) {
    Card card = action.card();
    if (action.verb() == Verb.DISCARD) {
      return -use(card, hand.count(card)) - gift(card);
    }
    if (action.isAttack()) {
      return attack(card, action.team());
    }
    if (card.isSafety()) {
      return expose(card);
    }
    if (card == END_OF_LIMIT) {
      return hand.count(EnumSet.range(D75, D200)) > 0 ? 700 : 300; // km that wait for it
    }
    return card.isRemedy() ? 600 : drive(card);
  }

  /** Far is good; leaving a distance that the hand can drive exactly is better. */
  private int drive(Card card) {
    int left = toGo - card.km();
    if (left == 0) {
      return ENDS;
    }
    if (left <= 200 && canTotal(left, card)) {
      return 650 + 2 * card.km();
    }
    return left > 50 ? 500 + 2 * card.km() : -60; // few cards help then; as it is, more do
  }

  /** Whether up to four distance cards in hand, without the one played, make exactly that. */
  private boolean canTotal(int total, Card played) {
    List<Card> rest = new ArrayList<>(view.cards());
    rest.removeIf(card -> !card.isDistance());
    rest.remove(played);
    return canTotal(total, rest, 4);
  }

  private static boolean canTotal(int total, List<Card> cards, int most) {
    if (total == 0) {
      return most < 4;
    }
    for (int at = 0; at < cards.size() && most > 0 && total > 0; at++) {
      if (canTotal(total - cards.get(at).km(), cards.subList(at + 1, cards.size()), most - 1)) {
        return true;
      }
    }
    return false;
  }

  /** The leader first; an attack that nobody can answer rather than one that may backfire. */
  private int attack(Card hazard, int team) {
    TableView victim = view.tables().get(team);
    int worth = 2500;
    if (hazard == SPEED_LIMIT) {
      worth = victim.moving() ? 600 : 300;
    } else if (hazard != RED_LIGHT) {
      worth += 200; // a breakdown has one remedy only, a Red Light many
    }
    if (rivals.stream().allMatch(rival -> rival.km() <= victim.km())) {
      worth += 300;
    }
    worth += victim.km() / 10;
    if (unseen.has(hazard.safety())) {
      return worth - 6000 / unseen.total(); // a hand of six may hold it
    }
    return worth + 200;
  }

  /** A safety waits for its attack, unless it is needed now or the hand is about to end. */
  private int expose(Card safety) {
    if (view.rules().safetyKm() == toGo) {
      return ENDS;
    }
    if (finishes) {
      return replays && view.rules().safetyKm() == 0 ? ENDS + 1 : 0; // 100 points more
    }
    if (replays && family == Family.PLATEAU) {
      return DRAWS;
    }
    if (isNeeded(safety)) {
      return FREES;
    }
    if (isUseless(safety) || isNearTheEnd()) {
      return LAST_CHANCE;
    }
    boolean starts = stands && table.stoppedBy().isEmpty() && safety == RIGHT_OF_WAY;
    return starts ? STARTS : HOLD;
  }

  private boolean isNeeded(Card safety) {
    return table.hazards().stream()
        .anyMatch(hazard -> hazard.safety() == safety && !hand.has(hazard.remedy()));
  }

  /** Whether no attack is left that it answers. */
  private boolean isUseless(Card safety) {
    return Card.HAZARDS.stream()
        .noneMatch(hazard -> hazard.safety() == safety && unseen.has(hazard));
  }

  private boolean isNearTheEnd() {
    return turns < FEW_TURNS
        || rivals.stream()
            .anyMatch(rival -> rival.moving() && view.target() - rival.km() <= NEARLY_THERE);
  }

  /** What the last of so many copies of a card in hand is worth, from 0 up. */
  private int use(Card card, int copies) {
    if (card.isSafety()) {
      return 1000;
    }
    if (card.isDistance()) {
      return useOfDistance(card, copies);
    }
    return card.isHazard() ? useOfHazard(card) : useOfRemedy(card, copies);
  }

  private int useOfHazard(Card hazard) {
    if (rivals.stream().allMatch(rival -> rival.isImmune(hazard))) {
      return 0;
    }
    return Math.max(0, keep(hazard) - 50 * Math.max(0, hand.count(Card.HAZARDS) - 2));
  }

  /** Worth less for each card in hand that would be driven before it. */
  private int useOfDistance(Card card, int copies) {
    if (card.km() > toGo) {
      return 0;
    }
    int laid = Collections.frequency(table.distance(), D200);
    if (card == D200 && laid + copies > view.rules().max200().orElse(Integer.MAX_VALUE)) {
      return 0;
    }
    boolean safeTrip = view.rules().isScored() && laid == 0; // 300 points, still to be had
    int worth = card == D200 && !safeTrip ? 200 : keep(card);
    long longer =
        view.cards().stream()
            .filter(one -> one.isDistance() && one.compareTo(card) > 0 && one.km() <= toGo)
            .count();
    return Math.max(0, worth - 25 * (copies - 1 + (int) longer));
  }

  /** One is enough; none is needed if a safety does it or no hazard is left. */
  private int useOfRemedy(Card remedy, int copies) {
    Card hazard = Card.HAZARDS.get(Card.REMEDIES.indexOf(remedy));
    Card safety = hazard.safety();
    if (table.isImmune(hazard) || hand.has(safety)) {
      return hand.has(safety) && safety == RIGHT_OF_WAY ? 30 : 0;
    }
    boolean inForce = table.hazards().contains(hazard);
    if (copies > uses(remedy, hazard, inForce)) {
      return 0;
    }
    if (copies > 1) {
      return remedy == GREEN_LIGHT ? 120 / copies : 5;
    }
    return keep(remedy) + (inForce ? 100 : 0);
  }

  private int uses(Card remedy, Card hazard, boolean inForce) {
    int uses = unseen.count(hazard) + (inForce ? 1 : 0);
    if (remedy == GREEN_LIGHT) {
      uses += table.moving() ? 0 : 1;
      if (family == Family.CLASSIC) { // every breakdown needs one as well
        uses += unseen.count(EnumSet.range(Card.OUT_OF_GAS, Card.ACCIDENT));
      }
    }
    return uses;
  }

  /** Express: what it costs to leave an open card that the next seat could play at once. */
  private int gift(Card card) {
    int next = view.seating().teamOf((view.seat() + 1) % view.sizes().size());
    boolean given = next != view.team() && view.tables().get(next).accepts().contains(card);
    return given && family == Family.EXPRESS ? 150 : 0;
  }

  /** Whether the open card is better than an unknown one. */
  boolean takesOpenCard() {
    Card card = view.discardPile().get(view.discardPile().size() - 1);
    if (card == null || card.isSafety()) {
      return card != null;
    }
    int worth = use(card, hand.count(card) + 1);
    if (table.accepts().contains(card) && !(card.isDistance() && hand.has(card))) {
      worth += 250;
    }
    return worth > 220;
  }

  /** 300 km more only far ahead, with half of the cards still to come. */
  boolean shouldExtend() {
    return turns >= 15 && rivals.stream().allMatch(one -> one.km() <= 200 && !one.moving());
  }

  private int keep(Card card) {
    return KEEP.get(family)[card.ordinal()];
  }
}
