package millearena.sdk;

import io.grpc.Status;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import millearena.v1.MatchServiceOuterClass.PlayResponse;
import millearena.v1.MatchServiceOuterClass.Prompt;

/**
 * The messages that have come from the referee, and when. They are put in by the thread that reads
 * the stream, while the bot thinks too, and taken out by the one in which the bot runs.
 */
final class Inbox {
  /** Without a message for so long after a long thought, nothing more is on its way. */
  private static final long QUIET = TimeUnit.MILLISECONDS.toNanos(5);

  private static final long PIECE = TimeUnit.MILLISECONDS.toNanos(500);

  private final Deque<Mail> waiting = new ArrayDeque<>();
  private boolean isOpen;
  private Status end;

  /** A message, and when it came, on {@link System#nanoTime}. */
  record Mail(PlayResponse message, long came) {}

  // -- the thread that reads ------------------------------------------------------------------

  synchronized void opened() {
    isOpen = true;
    notifyAll();
  }

  synchronized void put(PlayResponse message) {
    waiting.add(new Mail(message, System.nanoTime()));
    notifyAll();
  }

  synchronized void ended(Status status) {
    if (end == null) {
      end = status;
    }
    notifyAll();
  }

  // -- the thread of the bot ------------------------------------------------------------------

  /**
   * Waits until the stream is open or has ended, and says whether it did.
   *
   * <p>A referee may hold a bot still for as long as others think. What passes meanwhile is no
   * waiting of ours, so time is counted in pieces, each of which is over once at the most.
   */
  synchronized boolean isOpenWithin(long patience) throws InterruptedException {
    for (long left = patience; left > 0 && !isOpen && end == null; left -= PIECE) {
      TimeUnit.NANOSECONDS.timedWait(this, Math.min(PIECE, left));
    }
    return isOpen || end != null;
  }

  /** The next message; null when the stream has ended. */
  synchronized Mail next() throws InterruptedException {
    while (waiting.isEmpty() && end == null) {
      wait();
    }
    return waiting.poll();
  }

  /** How the stream has ended; null while it goes on. */
  synchronized Status end() {
    return end;
  }

  /** Waits until nothing has come for a moment: to be called after a thought that was too long. */
  synchronized void settle() throws InterruptedException {
    long until = System.nanoTime() + QUIET;
    int seen = waiting.size();
    for (long left = QUIET; left > 0 && end == null; left = until - System.nanoTime()) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
      if (waiting.size() != seen) {
        seen = waiting.size();
        until = System.nanoTime() + QUIET;
      }
    }
  }

  /** Whether what has come closes a prompt. */
  synchronized boolean closes(Prompt prompt) {
    return waiting.stream().anyMatch(mail -> closes(mail.message(), prompt));
  }

  /** Whether what has come ends the match or the stream. */
  synchronized boolean isOver() {
    return end != null || (!waiting.isEmpty() && waiting.peekLast().message().hasMatchOver());
  }

  /** What is sent only when the last prompt is closed. A rejection names its prompt. */
  private static boolean closes(PlayResponse message, Prompt prompt) {
    return switch (message.getMessageCase()) {
      case PROMPT, HAND_OVER, WELCOME, MATCH_OVER -> true;
      case REJECTION -> message.getRejection().getPromptId().equals(prompt.getPromptId());
      case MESSAGE_NOT_SET -> false;
    };
  }
}
