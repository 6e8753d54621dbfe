package millearena.sdk;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One thing that a seat can do. There are 90-odd, each exists once, and says nothing of who does
 * it. They come with a prompt; {@link #parse} gives one by its text.
 */
public final class Action {
  /** What {@link #team} says of an action that is no attack. */
  public static final int NO_TEAM = -1;

  private static final int MAX_TEAMS = 4;
  private static final Map<String, Action> BY_TEXT = everyAction();

  static final Action PASS = parse("pass");

  private final Verb verb;
  private final Card card;
  private final int team;
  private final String text;

  private Action(Verb verb, Card card, int team, String text) {
    this.verb = verb;
    this.card = card;
    this.team = team;
    this.text = text;
  }

  /**
   * The action of that text, such as {@code play RED_LIGHT on 1}, {@code discard D25} or {@code
   * draw pile}.
   *
   * @throws IllegalArgumentException no action is written so
   */
  public static Action parse(String text) {
    Action action = BY_TEXT.get(text);
    if (action == null) {
      throw new IllegalArgumentException(
          "unknown action '"
              + text
              + "'; an action is written like `play D100`,"
              + " `play RED_LIGHT on 1`, `discard D25`, `coup_fourre EXTRA_TANK`, `draw pile`,"
              + " `pass`, `extend`, `stop` or `top GASOLINE`");
    }
    return action;
  }

  /** What it does. */
  public Verb verb() {
    return verb;
  }

  /** The card; null for {@code draw}, {@code pass}, {@code extend} and {@code stop}. */
  public Card card() {
    return card;
  }

  /** The team that a hazard is laid on, else {@link #NO_TEAM}. */
  public int team() {
    return team;
  }

  /** Whether a hazard is laid on another team. */
  public boolean isAttack() {
    return team != NO_TEAM;
  }

  /** Whether a card is laid on the seat's own table. */
  public boolean isPlay() {
    return verb == Verb.PLAY && !isAttack();
  }

  /** The action in words, such as {@code play RED_LIGHT on 1}. */
  public String text() {
    return text;
  }

  @Override
  public String toString() {
    return text;
  }

  private static Map<String, Action> everyAction() {
    Map<String, Action> actions = new LinkedHashMap<>();
    add(actions, Verb.DRAW, null, NO_TEAM, "draw pile");
    add(actions, Verb.DRAW, null, NO_TEAM, "draw discard");
    for (Card card : Card.ALL) {
      add(actions, Verb.DISCARD, card, NO_TEAM, "discard " + card);
      if (!card.isHazard()) {
        add(actions, Verb.PLAY, card, NO_TEAM, "play " + card);
      }
      if (card.isHazard() || card.isRemedy()) {
        add(actions, Verb.TOP, card, NO_TEAM, "top " + card);
      }
      if (card.isSafety()) {
        add(actions, Verb.COUP_FOURRE, card, NO_TEAM, "coup_fourre " + card);
      }
      for (int team = 0; card.isHazard() && team < MAX_TEAMS; team++) {
        add(actions, Verb.PLAY, card, team, "play " + card + " on " + team);
      }
    }
    for (Verb verb : new Verb[] {Verb.PASS, Verb.EXTEND, Verb.STOP}) {
      add(actions, verb, null, NO_TEAM, verb.word());
    }
    return Collections.unmodifiableMap(actions);
  }

  private static void add(
      Map<String, Action> actions, Verb verb, Card card, int team, String text) {
    actions.put(text, new Action(verb, card, team, text));
  }
}
