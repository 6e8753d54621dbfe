package millearena.sdk;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** How many there are of each card. Immutable. */
public final class CardCounts {
  private final int[] counts;

  CardCounts(int... counts) {
    this.counts = counts;
  }

  /** The counts of some cards. */
  public static CardCounts of(Collection<Card> cards) {
    int[] counts = new int[Card.ALL.size()];
    for (Card card : cards) {
      counts[card.ordinal()]++;
    }
    return new CardCounts(counts);
  }

  /** How many there are of a card. */
  public int count(Card card) {
    return counts[card.ordinal()];
  }

  /** Whether there is one of a card. */
  public boolean has(Card card) {
    return count(card) > 0;
  }

  /** How many there are of some kinds together. */
  public int count(Collection<Card> kinds) {
    return kinds.stream().mapToInt(this::count).sum();
  }

  /** How many there are in all. */
  public int total() {
    return Arrays.stream(counts).sum();
  }

  /** These, less some cards that lie somewhere. */
  CardCounts less(Collection<Card> cards) {
    int[] rest = counts.clone();
    for (Card card : cards) {
      rest[card.ordinal()]--;
    }
    return new CardCounts(rest);
  }

  CardCounts less(CardCounts others) {
    int[] rest = counts.clone();
    for (int at = 0; at < rest.length; at++) {
      rest[at] -= others.counts[at];
    }
    return new CardCounts(rest);
  }

  /** The 19 counts, in deck order. */
  public List<Integer> toList() {
    return Arrays.stream(counts).boxed().toList();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CardCounts that && Arrays.equals(counts, that.counts);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(counts);
  }

  @Override
  public String toString() {
    return Arrays.toString(counts);
  }
}
