package millearena.sdk;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import millearena.v1.MatchServiceOuterClass;
import millearena.v1.MatchServiceOuterClass.HandOver;
import millearena.v1.MatchServiceOuterClass.MatchOver;
import millearena.v1.MatchServiceOuterClass.TeamResult;

/** From the wire to the SDK's values: what a bot is told besides prompts (see {@link Reading}). */
final class ReadingNews {
  private ReadingNews() {}

  static Welcome welcome(MatchServiceOuterClass.Welcome message) {
    var time = message.getTimeControl();
    var faults = message.getFaultBudget();
    var knowledge = message.getKnowledge();
    return new Welcome(
        message.getSeat(),
        Reading.seating(message.getTeamsList()),
        Reading.rules(message.getRuleSet()),
        new Welcome.TimeControl(
            Words.duration(time.getStartUp()),
            Words.duration(time.getTurn()),
            Words.duration(time.getBank()),
            Words.duration(time.getResponseWindow())),
        Words.word(Welcome.WindowMode.class, message.getWindowMode())
            .orElse(Welcome.WindowMode.UNKNOWN),
        new Welcome.FaultBudget(
            faults.getMaxStrikes(),
            faults.getMessagesPerPrompt(),
            faults.getSurplusMessages(),
            faults.getNoteBytes()),
        new Welcome.Knowledge(
            knowledge.getDiscardsFaceDown(),
            knowledge.getStripedDraw(),
            knowledge.getFrozenBetweenPrompts()),
        message.getGameNumber(),
        message.getGameCount());
  }

  static Rejection rejection(MatchServiceOuterClass.Rejection message) {
    return new Rejection(
        Words.word(Rejection.Reason.class, message.getReason()).orElse(Rejection.Reason.UNKNOWN),
        message.getDetail(),
        played(message),
        message.getStrikes());
  }

  private static Optional<Action> played(MatchServiceOuterClass.Rejection message) {
    try {
      return Optional.of(Reading.action(message.getPlayed()));
    } catch (NewerMessageException unknown) {
      return Optional.empty();
    }
  }

  static HandResult handResult(HandOver message) {
    List<TeamResult> results = message.getResultsList();
    boolean hasPoints = results.stream().anyMatch(result -> result.getItemsCount() > 0);
    return new HandResult(
        message.getGameNumber(),
        message.getHandNumber(),
        Words.word(HandResult.Reason.class, message.getEnd()).orElse(HandResult.Reason.UNKNOWN),
        Reading.optional(message.hasWinnerTeam(), message.getWinnerTeam()),
        results.stream().map(TeamResult::getKm).toList(),
        hasPoints ? results.stream().map(TeamResult::getPoints).toList() : List.of(),
        hasPoints ? results.stream().map(ReadingNews::sheet).toList() : List.of(),
        List.copyOf(message.getScoresList()),
        message.getGameOver(),
        Reading.optional(message.hasGameWinnerTeam(), message.getGameWinnerTeam()),
        Reading.events(message.getEventsList()));
  }

  /** A score sheet; a line that is newer is only in the sum. */
  private static Map<HandResult.Item, Integer> sheet(TeamResult result) {
    Map<HandResult.Item, Integer> sheet = new EnumMap<>(HandResult.Item.class);
    for (var item : result.getItemsList()) {
      Words.word(HandResult.Item.class, item.getKind())
          .ifPresent(kind -> sheet.put(kind, item.getPoints()));
    }
    return Map.copyOf(sheet);
  }

  static MatchResult matchResult(MatchOver message) {
    return new MatchResult(
        message.getGameCount(),
        message.getGamesWon(),
        message.getGamesDrawn(),
        Words.word(MatchResult.Outcome.class, message.getOutcome())
            .orElse(MatchResult.Outcome.UNKNOWN),
        message.getDetail());
  }
}
