package millearena.sdk;

/** A message says something that this SDK has no word for. */
final class NewerMessageException extends RuntimeException {
  private static final long serialVersionUID = 1;

  NewerMessageException(String message) {
    super(message);
  }
}
