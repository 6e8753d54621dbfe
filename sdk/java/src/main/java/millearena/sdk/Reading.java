package millearena.sdk;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import millearena.v1.Actions;
import millearena.v1.Cards;
import millearena.v1.MatchServiceOuterClass;
import millearena.v1.RuleSets;
import millearena.v1.Views;

/**
 * From a prompt of the wire, and all that is in it, to the SDK's values. Fields that are newer than
 * this SDK are passed over; where a card, a stage or the like is, the message is refused.
 */
final class Reading {
  private Reading() {}

  static Prompt prompt(MatchServiceOuterClass.Prompt message, long arrived) {
    if (message.getKindValue() != message.getView().getStageValue()) {
      throw new NewerMessageException("Stage " + message.getKindValue() + " is asked");
    }
    List<Action> legal = message.getLegalActionsList().stream().map(Reading::action).toList();
    int fallback = message.getDefaultIndex();
    if (fallback < 0 || fallback >= legal.size()) {
      throw new NewerMessageException("default_index " + fallback + " of " + legal.size());
    }
    return new Prompt(
        view(message.getView()),
        legal,
        legal.get(fallback),
        Words.duration(message.getTimeLimit()),
        Words.duration(message.getBankLeft()),
        message.getGameNumber(),
        message.getHandNumber(),
        arrived);
  }

  private static View view(Views.View message) {
    return new View(
        message.getSeat(),
        Words.needed(Stage.class, message.getStage()),
        List.copyOf(message.getAskedSeatsList()),
        Words.cards(message.getHandList()),
        List.copyOf(message.getHandSizesList()),
        message.getTablesList().stream().map(Reading::table).toList(),
        message.getDrawCount(),
        discardPile(message),
        message.getTargetKm(),
        message.getTurnSeat(),
        message.hasAttack() ? Optional.of(Words.card(message.getAttack())) : Optional.empty(),
        optional(message.hasAttackedTeam(), message.getAttackedTeam()),
        message.getKnownCardsList().stream()
            .map(known -> CardCounts.of(Words.cards(known.getCardsList())))
            .toList(),
        events(message.getEventsList()),
        rules(message.getRuleSet()),
        seating(message.getTeamsList()),
        List.copyOf(message.getScoresList()),
        details(message));
  }

  private static View.Details details(Views.View message) {
    return new View.Details(
        message.getFirstEvent(),
        message.getEventCount(),
        message.getDealerSeat(),
        List.copyOf(message.getDiscardKnownToSeatsList()),
        List.copyOf(message.getStripeSizesList()),
        message.getDrawsDue(),
        message.getResume() == Views.Resume.RESUME_UNSPECIFIED
            ? ""
            : Words.option(message.getResume()),
        optional(message.hasExtendedByTeam(), message.getExtendedByTeam()),
        message.getRanOut(),
        message.getDryStart(),
        message.getIdleTurns(),
        message.getCirclingTurns(),
        message.getFresh(),
        message.getReshuffleCount());
  }

  private static List<Card> discardPile(Views.View message) {
    // Only where somebody knows more than others can a card be hidden.
    return message.getDiscardKnownToSeatsCount() == 0
        ? Words.cards(message.getDiscardPileList())
        : Words.cardsOrNull(message.getDiscardPileList());
  }

  private static TableView table(Views.Table message) {
    return new TableView(
        Words.cards(message.getBattlePileList()),
        Words.cards(message.getSpeedPileList()),
        Words.cards(message.getDistanceCardsList()),
        Words.cardSet(message.getSafetiesList()),
        Words.cardSet(message.getCoupsFourresList()),
        message.getKm(),
        message.getBonusKm(),
        message.getStarted(),
        message.getMoving(),
        message.getLimited(),
        Words.cardSet(message.getAcceptedCardsList()),
        Words.cardSet(message.getSufferedHazardsList()));
  }

  /** Events; one of a newer kind is left out. */
  static List<Event> events(List<Views.Event> messages) {
    List<Event> events = new ArrayList<>(messages.size());
    for (Views.Event message : messages) {
      event(message).ifPresent(events::add);
    }
    return List.copyOf(events);
  }

  private static Optional<Event> event(Views.Event message) {
    int seat = message.getSeat();
    return switch (message.getKindCase()) {
      case CARD_DRAWN -> of(Event.Kind.DRAWN, seat, message.getCardDrawn().getCard());
      case CARD_TAKEN -> Optional.of(taken(seat, message.getCardTaken().getCard()));
      case CARD_PLAYED -> of(Event.Kind.PLAYED, seat, message.getCardPlayed().getCard());
      case CARD_DISCARDED -> of(Event.Kind.DISCARDED, seat, message.getCardDiscarded().getCard());
      case COUP_FOURRE_DECLARED ->
          of(Event.Kind.COUP_FOURRE, seat, message.getCoupFourreDeclared().getCard());
      case TOP_CHOSEN -> of(Event.Kind.TOPPED, seat, message.getTopChosen().getCard());
      case HAND_EXTENDED -> of(Event.Kind.EXTENDED, seat, Cards.Card.CARD_HIDDEN);
      case HAND_STOPPED -> of(Event.Kind.STOPPED, seat, Cards.Card.CARD_HIDDEN);
      case PILE_RESHUFFLED -> of(Event.Kind.RESHUFFLED, seat, Cards.Card.CARD_HIDDEN);
      case HAZARD_LAID -> {
        Views.HazardLaid laid = message.getHazardLaid();
        Card hazard = Words.card(laid.getCard());
        yield Optional.of(new Event(Event.Kind.LAID, seat, hazard, laid.getTargetTeam()));
      }
      case KIND_NOT_SET -> Optional.empty();
    };
  }

  private static Optional<Event> of(Event.Kind kind, int seat, Cards.Card card) {
    return Optional.of(new Event(kind, seat, Words.cardOrNull(card), Action.NO_TEAM));
  }

  /** A card that is not named lay face down. */
  private static Event taken(int seat, Cards.Card card) {
    boolean named = card != Cards.Card.CARD_UNSPECIFIED;
    Card taken = named ? Words.cardOrNull(card) : null;
    return new Event(Event.Kind.TAKEN, seat, taken, Action.NO_TEAM);
  }

  static Seating seating(List<Views.Team> messages) {
    return new Seating(messages.stream().map(team -> List.copyOf(team.getSeatsList())).toList());
  }

  static RuleSet rules(RuleSets.RuleSet message) {
    return new RuleSet(
        message.getPreset(),
        Words.needed(Family.class, message.getFamily()),
        message.getTarget(),
        message.getExtension(),
        message.getFailedExtensionBonus(),
        optional(message.hasMax200(), message.getMax200()),
        message.getLateSafetyRestarts(),
        message.getExhaustedSafetyReplays(),
        message.getDiscardVisible(),
        message.getForcedPlay(),
        message.getReshuffle(),
        Words.option(message.getDelayedActionTrigger()),
        message.getFourSafetiesBonus(),
        Words.option(message.getShutoutRule()),
        message.getMatchPoints(),
        Words.option(message.getMatchTie()),
        message.getMaxHands(),
        message.getDeck2PReduction(),
        message.getAllowIndividual4(),
        optional(message.hasFirstDealer(), message.getFirstDealer()),
        message.getFirstPlayer(),
        message.getSafetyKm(),
        message.getCoupFourreKm(),
        Words.option(message.getBonusOverflow()),
        Words.option(message.getExpressSafetyDraw()),
        Words.option(message.getExpressExhaustedDraw()),
        message.getExpressStallRounds(),
        message.getTopChoice(),
        message.getPlateauGreenLightToStart(),
        Words.option(message.getPlateauExhaustion()));
  }

  static Action action(Actions.Action message) {
    String text =
        switch (message.getKindCase()) {
          case DRAW -> "draw " + Words.option(message.getDraw().getSource());
          case PLAY -> play(message.getPlay());
          case DISCARD -> "discard " + Words.card(message.getDiscard().getCard());
          case COUP_FOURRE -> "coup_fourre " + Words.card(message.getCoupFourre().getCard());
          case PASS -> "pass";
          case EXTEND -> "extend";
          case STOP -> "stop";
          case TOP -> "top " + Words.card(message.getTop().getCard());
          case KIND_NOT_SET -> "";
        };
    try {
      return Action.parse(text);
    } catch (IllegalArgumentException error) {
      throw new NewerMessageException("no action is `" + text + "`");
    }
  }

  private static String play(Actions.Play message) {
    String own = "play " + Words.card(message.getCard());
    return message.hasTargetTeam() ? own + " on " + message.getTargetTeam() : own;
  }

  static OptionalInt optional(boolean isSet, int value) {
    return isSet ? OptionalInt.of(value) : OptionalInt.empty();
  }
}
