package millearena.sdk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import millearena.v1.MatchServiceOuterClass.MatchOver;
import millearena.v1.MatchServiceOuterClass.PlayRequest;
import millearena.v1.MatchServiceOuterClass.PlayResponse;

/**
 * A stream without a wire. What the referee says is written down beforehand: after a prompt it says
 * nothing until that is answered, and in the end the match is over.
 */
final class Stream {
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final PrintStream err = new PrintStream(written, true, UTF_8);
  private final Deque<PlayResponse> script = new ArrayDeque<>();
  private final List<PlayRequest> sent = new ArrayList<>();
  private final Inbox inbox = new Inbox();
  private final Player player;
  private String lastPrompt = "";

  Stream(Bot bot) {
    this(bot, false);
  }

  Stream(Bot bot, boolean strict) {
    player = new Player(bot, new Failures(strict, err), err);
  }

  Stream then(PlayResponse... messages) {
    script.addAll(List.of(messages));
    return this;
  }

  /** Something comes at once, while the bot thinks. */
  void say(PlayResponse... messages) {
    List.of(messages).forEach(this::put);
  }

  /** Plays to the end. */
  Stream play() throws InterruptedException {
    script.add(PlayResponse.newBuilder().setMatchOver(MatchOver.getDefaultInstance()).build());
    goOn();
    try {
      new Conversation(player, inbox, this::take).run();
    } finally {
      player.report();
    }
    return this;
  }

  private void take(PlayRequest message) {
    sent.add(message);
    if (message.getAnswer().getPromptId().equals(lastPrompt)) {
      goOn();
    }
  }

  private void goOn() {
    while (!script.isEmpty()) {
      PlayResponse message = script.remove();
      put(message);
      if (message.hasPrompt()) {
        return;
      }
    }
  }

  private void put(PlayResponse message) {
    if (message.hasPrompt()) {
      lastPrompt = message.getPrompt().getPromptId();
    }
    inbox.put(message);
  }

  List<PlayRequest> sent() {
    return sent;
  }

  List<String> notes() {
    return sent.stream().filter(PlayRequest::hasNote).map(one -> one.getNote().getText()).toList();
  }

  PlayRequest onlyAnswer() {
    assertEquals(1, sent.size(), sent::toString);
    return sent.get(0);
  }

  String err() {
    return written.toString(UTF_8);
  }
}
