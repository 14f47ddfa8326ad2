package io.belfry.cli.verb;

/** A failure with a message for the user. */
public final class CliException extends RuntimeException {
  public CliException(String message) {
    super(message);
  }

  public CliException(String message, Throwable cause) {
    super(message, cause);
  }

  /** The server's message, prefixed with the field that it concerns; most messages begin with it already. */
  public static String about(String field, String message) {
    return field.isEmpty() || message.startsWith(field) ? message : field + ": " + message;
  }

  /** The same, prefixed with the place in a file. */
  public static String at(String place, String field, String message) {
    String about = about(field, message);
    return place + (about.equals(message) ? ": " : ", ") + about;
  }
}
