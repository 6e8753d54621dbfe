package millearena.sdk;

import java.util.function.Consumer;
import millearena.v1.MatchServiceOuterClass;
import millearena.v1.MatchServiceOuterClass.PlayRequest;
import millearena.v1.MatchServiceOuterClass.PlayResponse;

/**
 * What is said on one stream: prompts to the player, and its answers back.
 *
 * <p>After a thought that took too long it first takes in what has come meanwhile, and sees which
 * prompts are closed already. It goes on with the one that is open, so one slip costs one decision.
 */
final class Conversation {
  private final Player player;
  private final Inbox inbox;
  private final Consumer<PlayRequest> send;

  Conversation(Player player, Inbox inbox, Consumer<PlayRequest> send) {
    this.player = player;
    this.inbox = inbox;
    this.send = send;
  }

  /** Answers prompts until the match is over; false: the stream ended before. */
  boolean run() throws InterruptedException {
    for (Inbox.Mail mail = inbox.next(); mail != null; mail = inbox.next()) {
      PlayResponse message = mail.message();
      if (message.hasPrompt()) {
        takePrompt(message.getPrompt(), mail.came());
      } else {
        takeNews(message);
      }
      if (message.hasMatchOver()) {
        return true;
      }
    }
    return false;
  }

  /** Answers a prompt, unless it is closed. */
  private void takePrompt(MatchServiceOuterClass.Prompt message, long came)
      throws InterruptedException {
    settleIfLate(message, came); // hooks may have taken too long
    Prompt prompt;
    try {
      prompt = Reading.prompt(message, came);
    } catch (NewerMessageException error) {
      player.passedOver("prompt: " + error.getMessage());
      send.accept(Writing.byPlace(message.getPromptId(), message.getDefaultIndex()));
      return;
    }
    if (inbox.closes(message)) {
      player.skip(prompt);
      return;
    }
    Action action = player.answer(prompt);
    PlayRequest answer =
        Writing.answer(message.getPromptId(), prompt, action, player.orders(prompt));
    settleIfLate(message, came);
    // A late answer is sent too, for the referee to count, but not after the end.
    if (prompt.hasChoice() && !inbox.closes(message)) {
      player.notes().takeAll().forEach(text -> send.accept(Writing.note(text)));
    }
    if (!inbox.isOver()) {
      send.accept(answer);
    }
  }

  private void settleIfLate(MatchServiceOuterClass.Prompt message, long came)
      throws InterruptedException {
    if (System.nanoTime() - came >= Words.duration(message.getTimeLimit()).toNanos()) {
      inbox.settle();
    }
  }

  private void takeNews(PlayResponse message) {
    try {
      switch (message.getMessageCase()) {
        case WELCOME -> player.welcome(ReadingNews.welcome(message.getWelcome()));
        case REJECTION -> player.rejected(ReadingNews.rejection(message.getRejection()));
        case HAND_OVER -> player.handOver(ReadingNews.handResult(message.getHandOver()));
        case MATCH_OVER -> player.matchOver(ReadingNews.matchResult(message.getMatchOver()));
        default -> player.passedOver("a message of a new kind");
      }
    } catch (NewerMessageException error) {
      player.passedOver(message.getMessageCase() + ": " + error.getMessage());
    }
  }
}
