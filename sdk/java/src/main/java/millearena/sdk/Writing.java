package millearena.sdk;

import java.util.Collection;
import millearena.v1.Actions;
import millearena.v1.MatchServiceOuterClass.Answer;
import millearena.v1.MatchServiceOuterClass.Join;
import millearena.v1.MatchServiceOuterClass.Note;
import millearena.v1.MatchServiceOuterClass.PlayRequest;

/** From the SDK's values to the wire. */
final class Writing {
  private static final int PROTOCOL_VERSION = 1;
  private static final String SDK = "arena_sdk-java 0.1.0";

  private Writing() {}

  static PlayRequest join(Bot bot) {
    return PlayRequest.newBuilder()
        .setJoin(
            Join.newBuilder()
                .setProtocolVersion(PROTOCOL_VERSION)
                .setBotName(bot.name())
                .setBotVersion(bot.version())
                .setSdk(SDK))
        .build();
  }

  static PlayRequest note(String text) {
    return PlayRequest.newBuilder().setNote(Note.newBuilder().setText(text)).build();
  }

  /** The answer to what cannot be understood. */
  static PlayRequest byPlace(String promptId, int place) {
    return answer(Answer.newBuilder().setPromptId(promptId).setLegalIndex(place));
  }

  static PlayRequest answer(
      String promptId, Prompt prompt, Action action, Collection<Card> orders) {
    Answer.Builder answer = Answer.newBuilder().setPromptId(promptId);
    int place = prompt.legal().indexOf(action);
    if (place >= 0) {
      answer.setLegalIndex(place);
    } else { // for the referee to refuse: it says so, and counts
      answer.setAction(action(action));
    }
    orders.forEach(card -> answer.addCoupFourreOn(Words.wire(card)));
    return answer(answer);
  }

  private static PlayRequest answer(Answer.Builder answer) {
    return PlayRequest.newBuilder().setAnswer(answer).build();
  }

  private static Actions.Action action(Action action) {
    Actions.Action.Builder message = Actions.Action.newBuilder();
    switch (action.verb()) {
      case DRAW -> message.setDraw(Actions.Draw.newBuilder().setSource(source(action)));
      case PLAY -> message.setPlay(play(action));
      case DISCARD ->
          message.setDiscard(Actions.Discard.newBuilder().setCard(Words.wire(action.card())));
      case COUP_FOURRE ->
          message.setCoupFourre(Actions.CoupFourre.newBuilder().setCard(Words.wire(action.card())));
      case PASS -> message.setPass(Actions.Pass.getDefaultInstance());
      case EXTEND -> message.setExtend(Actions.Extend.getDefaultInstance());
      case STOP -> message.setStop(Actions.Stop.getDefaultInstance());
      case TOP -> message.setTop(Actions.Top.newBuilder().setCard(Words.wire(action.card())));
    }
    return message.build();
  }

  private static Actions.DrawSource source(Action action) {
    return action.text().equals("draw pile")
        ? Actions.DrawSource.DRAW_SOURCE_PILE
        : Actions.DrawSource.DRAW_SOURCE_DISCARD;
  }

  private static Actions.Play.Builder play(Action action) {
    Actions.Play.Builder play = Actions.Play.newBuilder().setCard(Words.wire(action.card()));
    return action.isAttack() ? play.setTargetTeam(action.team()) : play;
  }
}
