package millearena.sdk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ArenaTest {
  @Test
  void withoutAnAddressItSaysWhoStartsABot() {
    assertEquals(
        "arena_sdk: ARENA_ADDRESS is not set; start the bot with `arena match`\n",
        saidOf(Map.of()));
    assertEquals(
        "arena_sdk: ARENA_ADDRESS 'nowhere': must be unix:PATH or HOST:PORT\n",
        saidOf(Map.of("ARENA_ADDRESS", "nowhere")));
    assertEquals(
        "arena_sdk: ARENA_ADDRESS 'here:70000': must be unix:PATH or HOST:PORT\n",
        saidOf(Map.of("ARENA_ADDRESS", "here:70000")));
  }

  @Test
  void aBadTokenIsNotShown() {
    String said = saidOf(Map.of("ARENA_ADDRESS", "unix:/tmp/x", "ARENA_TOKEN", "s\u00e9cret"));
    assertEquals("arena_sdk: ARENA_TOKEN: must be printable ASCII\n", said);
  }

  @Test
  @SuppressWarnings("AddressSelection") // a number has one address
  void anAddressIsASocketOrAPort() throws Exception {
    Environment environment = new Environment(Map.of("ARENA_ADDRESS", "127.0.0.1:40123"));
    assertEquals(new InetSocketAddress("127.0.0.1", 40123), environment.address());
    assertEquals(
        UnixDomainSocketAddress.of("/run/arena/seat.sock"),
        new Environment(Map.of("ARENA_ADDRESS", "unix:/run/arena/seat.sock")).address());
    assertEquals(
        UnixDomainSocketAddress.of("/a/b"),
        new Environment(Map.of("ARENA_ADDRESS", "unix:///a/b")).address());
  }

  @Test
  void strictIsWhatIsNeitherEmptyNorZero() {
    assertEquals(false, new Environment(Map.of()).isStrict());
    assertEquals(false, new Environment(Map.of("ARENA_STRICT", "0")).isStrict());
    assertEquals(true, new Environment(Map.of("ARENA_STRICT", "1")).isStrict());
  }

  @Test
  void aSeedIsAnyNumberBelowTwoToThe64() {
    assertEquals(-1, Environment.number("18446744073709551615"));
    assertEquals("arena_sdk".hashCode(), Environment.number("arena_sdk"));
    assertEquals(new Silent().rng().nextInt(), new Silent().rng().nextInt());
  }

  @Test
  void anUnknownActionIsRefusedWithWhatWouldBeRight() {
    IllegalArgumentException error =
        assertThrows(IllegalArgumentException.class, () -> Action.parse("play RED_LIGHT on 7"));
    assertTrue(error.getMessage().startsWith("unknown action 'play RED_LIGHT on 7'; "));
    assertThrows(IllegalStateException.class, Card.D25::safety);
  }

  private static String saidOf(Map<String, String> variables) {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    assertEquals(1, Arena.play(new Silent(), variables, new PrintStream(written, true, UTF_8)));
    return written.toString(UTF_8);
  }

  private static final class Silent extends Bot {
    @Override
    public Action choose(Prompt prompt) {
      return prompt.defaultAction();
    }
  }
}
