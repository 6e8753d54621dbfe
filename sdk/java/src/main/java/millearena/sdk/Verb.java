package millearena.sdk;

import java.util.Locale;

/** What kind of thing an action does. */
public enum Verb {
  DRAW,
  PLAY,
  DISCARD,
  COUP_FOURRE,
  PASS,
  EXTEND,
  STOP,
  TOP;

  private final String word = name().toLowerCase(Locale.ROOT);

  /** The first word of such an action's text. */
  public String word() {
    return word;
  }
}
