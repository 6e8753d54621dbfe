package millearena.sdk;

import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Duration;
import com.google.protobuf.ProtocolMessageEnum;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import millearena.v1.Cards;

/** From single values of the wire to the SDK's, and back. Cards are one higher on the wire. */
final class Words {
  private Words() {}

  /** A card that must be known. */
  static Card card(Cards.Card wire) {
    int place = wire == Cards.Card.UNRECOGNIZED ? -1 : wire.getNumber() - 1;
    if (place < 0 || place >= Card.ALL.size()) {
      throw new NewerMessageException("no card has the number of " + wire);
    }
    return Card.ALL.get(place);
  }

  /** A card, or null if it is one that the receiver may not know. */
  static Card cardOrNull(Cards.Card wire) {
    return wire == Cards.Card.CARD_HIDDEN ? null : card(wire);
  }

  static List<Card> cards(List<Cards.Card> wire) {
    List<Card> cards = new ArrayList<>(wire.size());
    for (Cards.Card one : wire) {
      cards.add(card(one));
    }
    return Collections.unmodifiableList(cards);
  }

  /** A hidden card becomes null. */
  static List<Card> cardsOrNull(List<Cards.Card> wire) {
    List<Card> cards = new ArrayList<>(wire.size());
    for (Cards.Card one : wire) {
      cards.add(cardOrNull(one));
    }
    return Collections.unmodifiableList(cards);
  }

  static Set<Card> cardSet(List<Cards.Card> wire) {
    Set<Card> cards = EnumSet.noneOf(Card.class);
    for (Cards.Card one : wire) {
      cards.add(card(one));
    }
    return Collections.unmodifiableSet(cards);
  }

  static Cards.Card wire(Card card) {
    return Cards.Card.forNumber(card.ordinal() + 1);
  }

  static java.time.Duration duration(Duration wire) {
    return java.time.Duration.ofSeconds(wire.getSeconds(), wire.getNanos());
  }

  /** The SDK's word for a word of the wire, if it has one: both have the same name. */
  static <E extends Enum<E>> Optional<E> word(Class<E> kind, ProtocolMessageEnum wire) {
    String name = name(wire);
    for (E one : kind.getEnumConstants()) {
      if (one.name().equals(name)) {
        return Optional.of(one);
      }
    }
    return Optional.empty();
  }

  /** The same where the message cannot be understood without it. */
  static <E extends Enum<E>> E needed(Class<E> kind, ProtocolMessageEnum wire) {
    return word(kind, wire).orElseThrow(() -> new NewerMessageException(unknown(wire)));
  }

  /** A word of the wire as {@code arena rules} writes it. */
  static String option(ProtocolMessageEnum wire) {
    String name = name(wire);
    if (name.isEmpty()) {
      throw new NewerMessageException(unknown(wire));
    }
    return name.toLowerCase(Locale.ROOT);
  }

  /** The name without the prefix of its kind; empty if there is none. */
  private static String name(ProtocolMessageEnum wire) {
    if (((Enum<?>) wire).name().equals("UNRECOGNIZED") || wire.getNumber() == 0) {
      return "";
    }
    EnumValueDescriptor value = wire.getValueDescriptor();
    String unset = value.getType().getValues().get(0).getName();
    return value.getName().substring(unset.length() - "UNSPECIFIED".length());
  }

  private static String unknown(ProtocolMessageEnum wire) {
    return wire.getDescriptorForType().getName() + " has a value that is unknown here";
  }
}
