package millearena.sdk;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import millearena.v1.MatchServiceOuterClass.PlayRequest;
import millearena.v1.MatchServiceOuterClass.PlayResponse;

/** The test vectors that every SDK is held against. */
final class Vectors {
  private static final Path FOLDER = Path.of("..", "vectors");

  private Vectors() {}

  static List<JsonObject> of(String name) {
    try {
      JsonArray cases =
          JsonParser.parseString(Files.readString(FOLDER.resolve(name))).getAsJsonArray();
      List<JsonObject> objects = new ArrayList<>();
      cases.forEach(one -> objects.add(one.getAsJsonObject()));
      return objects;
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  static PlayResponse response(JsonElement hex) {
    try {
      return PlayResponse.parseFrom(bytes(hex));
    } catch (InvalidProtocolBufferException error) {
      throw new UncheckedIOException(error);
    }
  }

  static PlayRequest request(JsonElement hex) {
    try {
      return PlayRequest.parseFrom(bytes(hex));
    } catch (InvalidProtocolBufferException error) {
      throw new UncheckedIOException(error);
    }
  }

  static Prompt prompt(JsonElement hex) {
    return Reading.prompt(response(hex).getPrompt(), System.nanoTime());
  }

  static byte[] bytes(JsonElement hex) {
    return HexFormat.of().parseHex(hex.getAsString());
  }

  static String hex(PlayRequest message) {
    return HexFormat.of().formatHex(message.toByteArray());
  }
}
