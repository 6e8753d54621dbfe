package millearena.sdk;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;

/**
 * Lines for the author's log that wait for the next answer to take them along. A referee counts
 * messages, and a bot that sends too many has lost; so what is too much is not sent at all.
 */
final class Notes {
  private List<String> waiting = new ArrayList<>();
  private int most; // before the first welcome there are none
  private int bytes;
  private int dropped;

  void allow(Welcome.FaultBudget budget) {
    most = Math.max(0, budget.messagesPerPrompt() - 1); // one of the messages is the answer
    bytes = Math.max(0, budget.noteBytes());
  }

  void add(String text) {
    if (waiting.size() >= most) {
      dropped++;
    } else {
      waiting.add(cut(text.replaceAll("\\R$", "").replaceAll("\\R", " ")));
    }
  }

  List<String> takeAll() {
    List<String> taken = waiting;
    waiting = new ArrayList<>();
    return taken;
  }

  int most() {
    return most;
  }

  int dropped() {
    return dropped;
  }

  private String cut(String line) {
    byte[] encoded = line.getBytes(UTF_8);
    int end = Math.min(bytes, encoded.length);
    while (end > 0 && end < encoded.length && (encoded[end] & 0xC0) == 0x80) {
      end--; // never in the middle of a character
    }
    return new String(encoded, 0, end, UTF_8);
  }
}
