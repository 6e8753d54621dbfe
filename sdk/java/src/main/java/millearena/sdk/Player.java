package millearena.sdk;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;

/**
 * When a bot is asked and told what: the SDK without a wire.
 *
 * <p>A prompt brings the events since the one before it. Those of prompts that the bot never sees
 * are kept and put in front of the next prompt's, so that {@code view.history()} holds everything
 * since the bot was last asked.
 */
final class Player {
  private final Bot bot;
  private final Failures failures;
  private final PrintStream err;
  private final Notes notes = new Notes();
  private final boolean responds;
  private boolean givesOrders;
  private int game = -1; // game and hand that the bot has heard of
  private int hand = -1;
  private Unseen unseen;
  private int newer;
  private String lastNewer = "";

  /** Events of one hand that the bot has not been shown. */
  private record Unseen(int game, int hand, int firstEvent, List<Event> events) {}

  /** A call of one of the bot's methods. */
  private interface Hook {
    void call() throws Exception;
  }

  Player(Bot bot, Failures failures, PrintStream err) {
    this.bot = bot;
    this.failures = failures;
    this.err = err;
    this.responds = hasOwnRespond(bot);
    bot.take(notes);
  }

  Notes notes() {
    return notes;
  }

  Bot bot() {
    return bot;
  }

  // -- questions ----------------------------------------------------------------------------

  /** What the bot does; {@code pass}, at once and without asking it, if that is all it can. */
  Action answer(Prompt asked) {
    if (!asked.hasChoice()) {
      skip(asked);
      return Action.PASS;
    }
    Prompt prompt = withUnseen(asked);
    enter(prompt.game(), prompt.hand());
    show(prompt.view().history());
    return ask(prompt);
  }

  /** The hazards that the bot wants answered, after its answer; none if it fails to say. */
  Collection<Card> orders(Prompt prompt) {
    EnumSet<Card> orders = EnumSet.noneOf(Card.class);
    if (!givesOrders) {
      return orders;
    }
    try {
      for (Card card : bot.standingOrders(prompt)) {
        if (!card.isHazard()) {
          throw new IllegalArgumentException(
              "standingOrders returned " + card + ", which is no hazard");
        }
        orders.add(card);
      }
      return orders;
    } catch (Throwable error) {
      failures.take("standingOrders", error);
      return EnumSet.noneOf(Card.class);
    }
  }

  /** Leaves a prompt unasked, but keeps its events. */
  void skip(Prompt prompt) {
    View view = withUnseen(prompt).view();
    int first = view.details().firstEvent();
    unseen = new Unseen(prompt.game(), prompt.hand(), first, view.history());
  }

  // -- news ---------------------------------------------------------------------------------

  void welcome(Welcome welcome) {
    showUnseen();
    notes.allow(welcome.faults());
    givesOrders = welcome.windowMode() == Welcome.WindowMode.STANDING;
    call("gameStarted", () -> bot.gameStarted(welcome));
  }

  void rejected(Rejection rejection) {
    call("rejected", () -> bot.rejected(rejection));
  }

  void handOver(HandResult result) {
    showUnseen();
    enter(result.game(), result.hand());
    show(result.events());
    call("handOver", () -> bot.handOver(result));
  }

  void matchOver(MatchResult result) {
    showUnseen();
    call("matchOver", () -> bot.matchOver(result));
  }

  /** Something came that is newer than this SDK; a prompt among it got the default. */
  void passedOver(String why) {
    newer++;
    lastNewer = why;
  }

  /** Writes the notes that no answer has taken along, and in one line what went wrong. */
  void report() {
    notes.takeAll().forEach(err::println);
    List<String> phrases = new ArrayList<>(failures.summary());
    if (notes.dropped() > 0) {
      String dropped = soMany(notes.dropped(), "note");
      phrases.add(dropped + " dropped, " + notes.most() + " fit an answer");
    }
    if (newer > 0) {
      String passed = soMany(newer, "message") + " newer than this SDK passed over";
      phrases.add(passed + " (last: " + lastNewer + ")");
    }
    if (!phrases.isEmpty()) {
      err.println("arena_sdk: " + String.join("; ", phrases));
    }
    err.flush();
  }

  // -- inside -------------------------------------------------------------------------------

  private Action ask(Prompt prompt) {
    String method = responds && prompt.kind() == Stage.RESPOND ? "respond" : "choose";
    try {
      Action action = method.equals("respond") ? bot.respond(prompt) : bot.choose(prompt);
      if (action == null) {
        throw new NullPointerException(method + " returned null, which is no Action");
      }
      return action;
    } catch (Throwable error) {
      failures.take(method, error);
      return prompt.defaultAction();
    }
  }

  private void call(String name, Hook hook) {
    try {
      hook.call();
    } catch (Throwable error) {
      failures.take(name, error);
    }
  }

  /** Tells the bot of a hand that it has not heard of. */
  private void enter(int inGame, int inHand) {
    if (game != inGame || hand != inHand) {
      game = inGame;
      hand = inHand;
      call("handStarted", () -> bot.handStarted(inGame, inHand));
    }
  }

  private void show(List<Event> events) {
    if (!events.isEmpty()) {
      call("saw", () -> bot.saw(events));
    }
  }

  /** The prompt with the events that the bot has missed in this hand. */
  private Prompt withUnseen(Prompt prompt) {
    if (unseen == null) {
      return prompt;
    }
    if (unseen.game() != prompt.game() || unseen.hand() != prompt.hand()) {
      showUnseen();
      return prompt;
    }
    List<Event> events = new ArrayList<>(unseen.events());
    events.addAll(prompt.view().history());
    int first = unseen.firstEvent();
    unseen = null;
    return prompt.with(prompt.view().withHistory(List.copyOf(events), first));
  }

  /** Shows what is left of a hand in which the bot was not asked again. */
  private void showUnseen() {
    Unseen left = unseen;
    unseen = null;
    if (left != null) {
      enter(left.game(), left.hand());
      show(left.events());
    }
  }

  private static boolean hasOwnRespond(Bot bot) {
    try {
      return bot.getClass().getMethod("respond", Prompt.class).getDeclaringClass() != Bot.class;
    } catch (NoSuchMethodException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static String soMany(int count, String noun) {
    return count == 1 ? count + " " + noun : count + " " + noun + "s";
  }
}
