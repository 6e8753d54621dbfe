package millearena.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import java.util.List;
import millearena.v1.MatchServiceOuterClass.PlayRequest;
import millearena.v1.MatchServiceOuterClass.PlayResponse;
import org.junit.jupiter.api.Test;

class VectorsTest {
  @Test
  void everyMessageIsReadAndWrittenAsItShould() throws Exception {
    List<JsonObject> cases = Vectors.of("messages.json");
    assertFalse(cases.isEmpty());
    for (JsonObject one : cases) {
      boolean asks = one.get("type").getAsString().equals("PlayRequest");
      Message read = asks ? Vectors.request(one.get("hex")) : Vectors.response(one.get("hex"));
      Message.Builder told = asks ? PlayRequest.newBuilder() : PlayResponse.newBuilder();
      JsonFormat.parser().merge(one.get("json").toString(), told);
      Message meant = told.build();
      assertEquals(meant, read, one.get("name")::getAsString);
      assertEquals(meant, read.getParserForType().parseFrom(meant.toByteArray()));
    }
  }

  @Test
  void everyPromptSaysWhatItShould() {
    List<JsonObject> cases = Vectors.of("prompts.json");
    assertFalse(cases.isEmpty());
    for (JsonObject one : cases) {
      assertEquals(one.get("expect"), Told.of(Vectors.prompt(one.get("hex"))));
    }
  }

  @Test
  void everyAnswerHasTheRightBytes() {
    List<JsonObject> cases = Vectors.of("answers.json");
    assertFalse(cases.isEmpty());
    for (JsonObject one : cases) {
      PlayResponse asked = Vectors.response(one.get("prompt_hex"));
      Prompt prompt = Reading.prompt(asked.getPrompt(), 0);
      Action action = Action.parse(one.get("action").getAsString());
      PlayRequest answer =
          Writing.answer(asked.getPrompt().getPromptId(), prompt, action, List.of());
      assertEquals(one.get("hex").getAsString(), Vectors.hex(answer));
    }
  }

  @Test
  void whatIsNewerIsDealtWith() throws Exception {
    List<JsonObject> cases = Vectors.of("newer.json");
    assertFalse(cases.isEmpty());
    for (JsonObject one : cases) {
      String name = one.get("name").getAsString();
      Stream stream = new Stream(new First()).then(Vectors.response(one.get("hex"))).play();
      switch (one.get("then").getAsString()) {
        case "read" -> assertEquals("", stream.err(), name);
        case "default" -> {
          assertEquals(one.get("answer_hex").getAsString(), Vectors.hex(stream.onlyAnswer()), name);
          assertTrue(stream.err().contains("1 message newer than this SDK passed over"), name);
        }
        case "pass over" -> {
          assertEquals(List.of(), stream.sent(), name);
          assertTrue(stream.err().contains("1 message newer than this SDK passed over"), name);
        }
        default -> throw new AssertionError(one.get("then"));
      }
    }
  }

  @Test
  void theSamplePromptsAreAmongThem() {
    List<String> known =
        Vectors.of("prompts.json").stream().map(one -> one.get("hex").getAsString()).toList();
    List<String> samples = SamplePrompts.lines();
    assertFalse(samples.isEmpty());
    assertTrue(known.containsAll(samples));
    assertEquals(samples.size(), SamplePrompts.all().size());
  }

  /** Plays the first legal action. */
  private static final class First extends Bot {
    @Override
    public Action choose(Prompt prompt) {
      return prompt.legal().get(0);
    }
  }
}
