package millearena.sdk;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts what the methods of a bot throw. In strict play the first one ends the run. */
final class Failures {
  private static final int LONGEST = 200;
  private static final List<String> QUESTIONS = List.of("choose", "respond");

  private final boolean strict;
  private final PrintStream err;
  private final Map<String, Integer> counts = new LinkedHashMap<>();
  private final Map<String, String> last = new LinkedHashMap<>();

  Failures(boolean strict, PrintStream err) {
    this.strict = strict;
    this.err = err;
  }

  /** In strict play a bot has thrown something. The message says what, in one line. */
  static final class StrictFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    StrictFailure(String message, Throwable cause) {
      super(message, cause);
    }
  }

  void take(String method, Throwable error) {
    counts.merge(method, 1, Integer::sum);
    last.put(method, inOneLine(error));
    withoutOurSteps(error);
    error.printStackTrace(err);
    err.flush();
    if (strict) {
      throw new StrictFailure(method + " raised " + inOneLine(error), error);
    }
  }

  List<String> summary() {
    return counts.keySet().stream().map(this::phrase).toList();
  }

  private String phrase(String method) {
    int count = counts.get(method);
    String played = QUESTIONS.contains(method) ? "; default actions were played" : "";
    String times = count == 1 ? " time" : " times";
    return method + " raised " + count + times + " (last: " + last.get(method) + ")" + played;
  }

  /** Leaves out how the SDK came to call the bot, which nobody looks for. */
  private static void withoutOurSteps(Throwable error) {
    StackTraceElement[] steps = error.getStackTrace();
    int kept = 0;
    while (kept < steps.length && !steps[kept].getClassName().startsWith(Player.class.getName())) {
      kept++;
    }
    error.setStackTrace(Arrays.copyOf(steps, kept));
  }

  private static String inOneLine(Throwable error) {
    String words = error.toString().strip().replaceAll("\\s+", " ");
    return words.length() <= LONGEST ? words : words.substring(0, LONGEST - 3) + "...";
  }
}
