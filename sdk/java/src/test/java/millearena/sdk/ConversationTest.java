package millearena.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import millearena.v1.MatchServiceOuterClass;
import millearena.v1.MatchServiceOuterClass.HandOver;
import millearena.v1.MatchServiceOuterClass.PlayResponse;
import millearena.v1.MatchServiceOuterClass.Rejection;
import millearena.v1.MatchServiceOuterClass.WindowMode;
import org.junit.jupiter.api.Test;

class ConversationTest {
  private static final PlayResponse PLAY = vector(one -> hasChoice(one) && asks(one, "PLAY"));
  private static final PlayResponse ONLY_PASS = vector(one -> !hasChoice(one));
  private static final PlayResponse WELCOME = welcome(WindowMode.WINDOW_MODE_PROMPT, 4, 10);

  // -- questions ------------------------------------------------------------------------------

  @Test
  void aLegalActionGoesByItsPlaceAndAnotherAsItIs() throws Exception {
    Stream legal = new Stream(new Choosing(prompt -> prompt.legal().get(1))).then(PLAY).play();
    assertEquals(1, legal.onlyAnswer().getAnswer().getLegalIndex());
    Stream illegal = new Stream(new Choosing(prompt -> Action.parse("extend"))).then(PLAY).play();
    assertTrue(illegal.onlyAnswer().getAnswer().getAction().hasExtend());
  }

  @Test
  void whoCanOnlyPassIsNotAskedAndLosesNoEvents() throws Exception {
    Choosing bot = new Choosing(prompt -> prompt.legal().get(0));
    PlayResponse next = inTheSameHand(PLAY, ONLY_PASS);
    Stream stream = new Stream(bot).then(ONLY_PASS, next).play();
    assertEquals(2, stream.sent().size());
    assertEquals(0, stream.sent().get(0).getAnswer().getLegalIndex());
    assertEquals(1, bot.asked.size());
    View seen = bot.asked.get(0).view();
    List<Event> expected = new ArrayList<>(events(ONLY_PASS));
    expected.addAll(events(next));
    assertFalse(events(ONLY_PASS).isEmpty());
    assertEquals(expected, seen.history());
    assertEquals(ONLY_PASS.getPrompt().getView().getFirstEvent(), seen.details().firstEvent());
    assertEquals(expected, bot.seen);
  }

  @Test
  void eventsOfAHandThatIsOverAreShownBeforeItIs() throws Exception {
    Choosing bot = new Choosing(prompt -> prompt.legal().get(0));
    HandOver over =
        HandOver.newBuilder()
            .setGameNumber(ONLY_PASS.getPrompt().getGameNumber())
            .setHandNumber(ONLY_PASS.getPrompt().getHandNumber())
            .build();
    new Stream(bot).then(ONLY_PASS, PlayResponse.newBuilder().setHandOver(over).build()).play();
    assertEquals(events(ONLY_PASS), bot.seen);
    assertEquals(List.of("handStarted", "saw", "handOver", "matchOver"), bot.told);
  }

  @Test
  void oneSlipCostsOneDecision() throws Exception {
    PlayResponse first = withId(PLAY, "first");
    PlayResponse second = withId(PLAY, "second");
    PlayResponse third = withId(PLAY, "third");
    Choosing bot = new Choosing(prompt -> prompt.legal().get(0));
    Stream stream = new Stream(bot);
    bot.choice =
        prompt -> {
          if (bot.asked.size() == 1) { // thinks until two more are asked, the second in vain
            stream.say(rejected("first"), second, rejected("second"), third);
            while (!prompt.timeLeft(false).isZero()) {
              Thread.onSpinWait();
            }
          }
          return prompt.legal().get(0);
        };
    stream.then(first).play();
    List<String> answered =
        stream.sent().stream().map(one -> one.getAnswer().getPromptId()).toList();
    assertEquals(List.of("first", "third"), answered);
    assertEquals(2, bot.asked.size());
    assertEquals(
        2 * PLAY.getPrompt().getView().getEventsCount(), bot.asked.get(1).view().history().size());
  }

  @Test
  void standingOrdersGoWithEveryAnswerWhereTheyCount() throws Exception {
    PlayResponse standing = welcome(WindowMode.WINDOW_MODE_STANDING, 4, 10);
    Choosing bot = new Choosing(prompt -> prompt.legal().get(0));
    bot.orders = List.of(Card.FLAT_TIRE, Card.RED_LIGHT, Card.FLAT_TIRE);
    Stream stream = new Stream(bot).then(standing, PLAY).play();
    assertEquals(
        List.of(Words.wire(Card.RED_LIGHT), Words.wire(Card.FLAT_TIRE)),
        stream.onlyAnswer().getAnswer().getCoupFourreOnList());
    bot.orders = List.of(Card.EXTRA_TANK);
    Stream wrong = new Stream(bot).then(standing, PLAY).play();
    assertEquals(0, wrong.onlyAnswer().getAnswer().getCoupFourreOnCount());
    assertTrue(wrong.err().contains("standingOrders returned EXTRA_TANK, which is no hazard"));
    Stream other = new Stream(bot).then(WELCOME, PLAY).play();
    assertEquals(0, other.onlyAnswer().getAnswer().getCoupFourreOnCount());
  }

  // -- what goes wrong ------------------------------------------------------------------------

  @Test
  void whateverABotThrowsTheDefaultIsPlayed() throws Exception {
    Choosing bot =
        new Choosing(
            prompt -> {
              throw new StackOverflowError("too\ndeep");
            });
    Stream stream = new Stream(bot).then(PLAY, withId(PLAY, "second")).play();
    int fallback = PLAY.getPrompt().getDefaultIndex();
    assertEquals(2, stream.sent().size());
    stream.sent().forEach(one -> assertEquals(fallback, one.getAnswer().getLegalIndex()));
    String summary =
        "arena_sdk: choose raised 2 times (last: java.lang.StackOverflowError: too deep);"
            + " default actions were played\n";
    assertTrue(stream.err().endsWith(summary), stream.err());
    assertTrue(stream.err().contains("at millearena.sdk.ConversationTest"), stream.err());
    assertFalse(stream.err().contains("Player."), stream.err());
  }

  @Test
  void nullIsNoAction() throws Exception {
    Stream stream = new Stream(new Choosing(prompt -> null)).then(PLAY).play();
    assertEquals(
        PLAY.getPrompt().getDefaultIndex(), stream.onlyAnswer().getAnswer().getLegalIndex());
    assertTrue(stream.err().contains("choose returned null, which is no Action"), stream.err());
  }

  @Test
  void strictPlayEndsAtTheFirstFailure() {
    Choosing bot =
        new Choosing(
            prompt -> {
              throw new IllegalStateException("no idea");
            });
    Stream stream = new Stream(bot, true).then(PLAY);
    Failures.StrictFailure failure = assertThrows(Failures.StrictFailure.class, stream::play);
    assertEquals("choose raised java.lang.IllegalStateException: no idea", failure.getMessage());
    assertEquals(List.of(), stream.sent());
  }

  // -- notes ----------------------------------------------------------------------------------

  @Test
  void notesAreCutAndCounted() throws Exception {
    PlayResponse three = welcome(WindowMode.WINDOW_MODE_PROMPT, 3, 10);
    Choosing bot = new Choosing(prompt -> prompt.legal().get(0));
    bot.notes = List.of("1234567\u00e9\u20ac", "two\nlines\n", "one too many");
    Stream stream = new Stream(bot).then(three, PLAY).play();
    assertEquals(List.of("1234567\u00e9", "two lines"), stream.notes());
    assertTrue(stream.sent().get(2).hasAnswer());
    assertTrue(stream.err().contains("arena_sdk: 1 note dropped, 2 fit an answer"), stream.err());
  }

  @Test
  void notesThatNoAnswerTakesAlongComeInTheEnd() throws Exception {
    Bot bot =
        new Choosing(prompt -> prompt.legal().get(0)) {
          @Override
          public void matchOver(MatchResult result) {
            note("lost " + result.lost());
          }
        };
    Stream stream = new Stream(bot).then(WELCOME).play();
    assertEquals("lost 0\n", stream.err());
  }

  // -- means ----------------------------------------------------------------------------------

  private interface Choice {
    Action of(Prompt prompt);
  }

  /** Writes down what it is asked and told. */
  private static class Choosing extends Bot {
    final List<Prompt> asked = new ArrayList<>();
    final List<Event> seen = new ArrayList<>();
    final List<String> told = new ArrayList<>();
    Choice choice;
    Collection<Card> orders = List.of();
    List<String> notes = List.of();

    Choosing(Choice choice) {
      this.choice = choice;
    }

    @Override
    public Action choose(Prompt prompt) {
      asked.add(prompt);
      notes.forEach(this::note);
      return choice.of(prompt);
    }

    @Override
    public Collection<Card> standingOrders(Prompt prompt) {
      return orders;
    }

    @Override
    public void handStarted(int game, int hand) {
      told.add("handStarted");
    }

    @Override
    public void saw(List<Event> events) {
      told.add("saw");
      seen.addAll(events);
    }

    @Override
    public void handOver(HandResult result) {
      told.add("handOver");
    }

    @Override
    public void matchOver(MatchResult result) {
      told.add("matchOver");
    }
  }

  private static PlayResponse vector(Predicate<JsonObject> wanted) {
    JsonObject found =
        Vectors.of("prompts.json").stream()
            .filter(one -> wanted.test(one.getAsJsonObject("expect")))
            .findFirst()
            .orElseThrow();
    return Vectors.response(found.get("hex"));
  }

  private static boolean hasChoice(JsonObject expect) {
    return expect.get("has_choice").getAsBoolean();
  }

  private static boolean asks(JsonObject expect, String kind) {
    return expect.get("kind").getAsString().equals(kind);
  }

  private static PlayResponse withId(PlayResponse message, String id) {
    return message.toBuilder().setPrompt(message.getPrompt().toBuilder().setPromptId(id)).build();
  }

  private static PlayResponse inTheSameHand(PlayResponse message, PlayResponse other) {
    MatchServiceOuterClass.Prompt.Builder prompt = message.getPrompt().toBuilder();
    prompt.setGameNumber(other.getPrompt().getGameNumber());
    prompt.setHandNumber(other.getPrompt().getHandNumber());
    return message.toBuilder().setPrompt(prompt).build();
  }

  private static List<Event> events(PlayResponse message) {
    return Reading.events(message.getPrompt().getView().getEventsList());
  }

  private static PlayResponse rejected(String id) {
    return PlayResponse.newBuilder().setRejection(Rejection.newBuilder().setPromptId(id)).build();
  }

  private static PlayResponse welcome(WindowMode mode, int messages, int bytes) {
    MatchServiceOuterClass.Welcome.Builder welcome =
        MatchServiceOuterClass.Welcome.newBuilder()
            .setWindowMode(mode)
            .setRuleSet(PLAY.getPrompt().getView().getRuleSet());
    welcome.getFaultBudgetBuilder().setMessagesPerPrompt(messages).setNoteBytes(bytes);
    return PlayResponse.newBuilder().setWelcome(welcome).build();
  }
}
