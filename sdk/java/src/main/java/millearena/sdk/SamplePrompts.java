package millearena.sdk;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HexFormat;
import java.util.List;
import millearena.v1.MatchServiceOuterClass.PlayResponse;

/**
 * Prompts of real games, to test a bot without a referee: of every kind, family and size of table,
 * and always the same.
 */
public final class SamplePrompts {
  private SamplePrompts() {}

  /** All of them, anew: their time begins now. */
  public static List<Prompt> all() {
    return lines().stream().map(SamplePrompts::read).toList();
  }

  /** Those that ask for the same thing. */
  public static List<Prompt> of(Stage kind) {
    return all().stream().filter(prompt -> prompt.kind() == kind).toList();
  }

  static List<String> lines() {
    try (InputStream lines = SamplePrompts.class.getResourceAsStream("prompts.hex")) {
      return new String(lines.readAllBytes(), US_ASCII).lines().toList();
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  private static Prompt read(String line) {
    try {
      PlayResponse message = PlayResponse.parseFrom(HexFormat.of().parseHex(line));
      return Reading.prompt(message.getPrompt(), System.nanoTime());
    } catch (InvalidProtocolBufferException error) {
      throw new UncheckedIOException(error);
    }
  }
}
