package millearena.sdk;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a bot's program is told by the variables of its environment. */
final class Environment {
  static final String SEED = "ARENA_BOT_SEED";

  private static final String ADDRESS = "ARENA_ADDRESS";
  private static final String TOKEN = "ARENA_TOKEN";
  private static final String STRICT = "ARENA_STRICT";
  private static final Pattern SOCKET = Pattern.compile("unix:(?://(?=/))?(.+)");
  private static final Pattern PORT = Pattern.compile("\\[?([^\\[\\]]+)]?:(\\d{1,5})");

  private final Map<String, String> variables;

  Environment(Map<String, String> variables) {
    this.variables = variables;
  }

  /** A variable is missing or bad; the message says which, and what would be right. */
  static final class BadVariableException extends Exception {
    private static final long serialVersionUID = 1;

    BadVariableException(String message) {
      super(message);
    }
  }

  /** Where the referee listens. */
  SocketAddress address() throws BadVariableException {
    String address = variables.getOrDefault(ADDRESS, "");
    if (address.isEmpty()) {
      throw new BadVariableException(ADDRESS + " is not set; start the bot with `arena match`");
    }
    try {
      return parse(address);
    } catch (IllegalArgumentException error) { // InvalidPathException is one
      throw new BadVariableException(
          ADDRESS + " '" + address + "': must be unix:PATH or HOST:PORT");
    }
  }

  /** The token for the referee, or empty; it is never shown. */
  String token() throws BadVariableException {
    String token = variables.getOrDefault(TOKEN, "");
    if (!token.chars().allMatch(one -> one >= ' ' && one <= '~')) {
      throw new BadVariableException(TOKEN + ": must be printable ASCII");
    }
    return token;
  }

  boolean isStrict() {
    String strict = variables.getOrDefault(STRICT, "");
    return !strict.isEmpty() && !strict.equals("0");
  }

  /** A seed as a number: what is none below 2^64 counts by its characters. */
  static long number(String seed) {
    try {
      return Long.parseUnsignedLong(seed);
    } catch (NumberFormatException words) {
      return seed.hashCode();
    }
  }

  private static SocketAddress parse(String address) {
    Matcher socket = SOCKET.matcher(address);
    if (socket.matches()) {
      return UnixDomainSocketAddress.of(socket.group(1));
    }
    Matcher port = PORT.matcher(address);
    if (!port.matches()) {
      throw new IllegalArgumentException(address);
    }
    return new InetSocketAddress(port.group(1), Integer.parseInt(port.group(2)));
  }
}
