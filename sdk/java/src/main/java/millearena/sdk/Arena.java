package millearena.sdk;

import io.grpc.Status;
import java.io.PrintStream;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs a bot: its whole life as a program. */
public final class Arena {
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(30);

  private Arena() {}

  /** The stream could not be opened, was refused, or ended early; the message says why. */
  private static final class NoRefereeException extends Exception {
    private static final long serialVersionUID = 1;

    NoRefereeException(String message) {
      super(message);
    }
  }

  /**
   * Plays with {@code bot} at the referee that ARENA_ADDRESS names, and returns when it is over.
   *
   * <p>If that cannot be, it writes a line that says why and ends the program with code 1: the
   * address is not set, the referee refused the bot or went away, or a bot has thrown something in
   * strict play (ARENA_STRICT=1).
   */
  public static void run(Bot bot) {
    int code = play(bot, System.getenv(), System.err);
    if (code != 0) {
      System.exit(code);
    }
  }

  /** The exit code of a run in such an environment. */
  static int play(Bot bot, Map<String, String> variables, PrintStream err) {
    Environment environment = new Environment(variables);
    Player player = new Player(bot, new Failures(environment.isStrict(), err), err);
    try {
      play(player, environment);
      return 0;
    } catch (NoRefereeException | Environment.BadVariableException error) {
      return fail(err, error.getMessage());
    } catch (Failures.StrictFailure error) {
      return fail(err, "strict play ends here: " + error.getMessage());
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      return fail(err, "interrupted");
    } finally {
      player.report();
    }
  }

  private static int fail(PrintStream err, String why) {
    err.println("arena_sdk: " + why);
    return 1;
  }

  private static void play(Player player, Environment environment)
      throws NoRefereeException, Environment.BadVariableException, InterruptedException {
    SocketAddress address = environment.address();
    String token = environment.token();
    warmUp();
    Inbox inbox = new Inbox();
    try (Connection connection = new Connection(address, token, inbox)) {
      connection.send(Writing.join(player.bot()));
      if (!inbox.isOpenWithin(PATIENCE)) {
        throw new NoRefereeException(
            "nobody has answered for " + TimeUnit.NANOSECONDS.toSeconds(PATIENCE) + " s");
      }
      if (!new Conversation(player, inbox, connection::send).run()) {
        throw new NoRefereeException(whyEnded(inbox.end()));
      }
    }
  }

  /** Loads what answers need while time costs nothing: the first window may be 100 ms long. */
  private static void warmUp() {
    for (Prompt prompt : SamplePrompts.all()) {
      Writing.answer("", prompt, prompt.defaultAction(), prompt.view().cards());
    }
  }

  private static String whyEnded(Status status) {
    return status.isOk()
        ? "the referee ended the stream before the match was over"
        : status.getCode() + ": " + status.getDescription();
  }
}
