package millearena.sdk;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/** A prompt as the test vectors tell it. */
final class Told {
  private Told() {}

  static JsonObject of(Prompt prompt) {
    JsonObject told = new JsonObject();
    told.addProperty("kind", prompt.kind().name());
    told.addProperty("has_choice", prompt.hasChoice());
    told.add("legal", words(prompt.legal()));
    told.addProperty("default", prompt.defaultAction().text());
    told.add("drives", words(prompt.drives()));
    told.add("remedies", words(prompt.remedies()));
    told.add("safeties", words(prompt.safeties()));
    told.add("plays", words(prompt.plays()));
    told.add("attacks", words(prompt.attacks()));
    told.add("discards", words(prompt.discards()));
    told.add("coup_fourre", word(prompt.coupFourre().orElse(null)));
    told.addProperty("time_limit_ms", prompt.timeLimit().toMillis());
    told.addProperty("bank_left_ms", prompt.bankLeft().toMillis());
    told.addProperty("game", prompt.game());
    told.addProperty("hand", prompt.hand());
    told.add("view", view(prompt.view()));
    return told;
  }

  private static JsonObject view(View view) {
    JsonObject told = new JsonObject();
    told.addProperty("seat", view.seat());
    told.addProperty("team", view.team());
    told.addProperty("family", view.rules().family().name());
    told.add("cards", words(view.cards()));
    told.add("sizes", numbers(view.sizes()));
    told.addProperty("draw_count", view.drawCount());
    told.add("discard_pile", words(view.discardPile()));
    told.addProperty("target", view.target());
    told.add(
        "to_go",
        numbers(IntStream.range(0, view.tables().size()).map(view::toGo).boxed().toList()));
    told.add("rivals", numbers(view.rivals()));
    told.add("attack", word(view.attack().orElse(null)));
    told.add("unseen", numbers(view.unseen().toList()));
    told.add("history", list(view.history(), Told::event));
    told.add("tables", list(view.tables(), Told::table));
    return told;
  }

  private static JsonObject event(Event event) {
    JsonObject told = new JsonObject();
    told.addProperty("kind", event.kind().name());
    told.addProperty("seat", event.seat());
    told.add("card", word(event.card()));
    boolean isLaid = event.team() != Action.NO_TEAM;
    told.add("team", isLaid ? new JsonPrimitive(event.team()) : JsonNull.INSTANCE);
    return told;
  }

  private static JsonObject table(TableView table) {
    JsonObject told = new JsonObject();
    told.add("battle", words(table.battle()));
    told.add("speed", words(table.speed()));
    told.add("distance", words(table.distance()));
    told.add("safeties", words(table.safeties()));
    told.addProperty("km", table.km());
    told.addProperty("started", table.started());
    told.addProperty("moving", table.moving());
    told.addProperty("limited", table.limited());
    Optional<Card> stop = table.stoppedBy();
    told.add("stopped_by", word(stop.orElse(null)));
    told.add("hazards", words(table.hazards()));
    told.add("needs", words(table.needs()));
    told.add("accepts", words(table.accepts()));
    told.add("suffers", words(table.suffers()));
    told.add("immune_to", words(Card.HAZARDS.stream().filter(table::isImmune).toList()));
    return told;
  }

  private static JsonArray words(Collection<?> things) {
    return list(things, Told::word);
  }

  private static JsonArray numbers(Collection<Integer> numbers) {
    return list(numbers, JsonPrimitive::new);
  }

  private static JsonElement word(Object thing) {
    return thing == null ? JsonNull.INSTANCE : new JsonPrimitive(thing.toString());
  }

  private static <T> JsonArray list(Collection<T> things, Function<T, JsonElement> tell) {
    JsonArray told = new JsonArray();
    things.forEach(thing -> told.add(tell.apply(thing)));
    return told;
  }
}
