package io.belfry.cli.verb;

/** What went wrong, as a sentence for the user. */
public final class Complaint extends RuntimeException {
  public Complaint(String message) {
    super(message);
  }

  public Complaint(String message, Throwable cause) {
    super(message, cause);
  }

  /** What a server said, with the field that it concerns: most of its sentences begin with that already. */
  public static String about(String field, String message) {
    return field.isEmpty() || message.startsWith(field) ? message : field + ": " + message;
  }

  /** The same of something in a file. */
  public static String at(String place, String field, String message) {
    String about = about(field, message);
    return place + (about.equals(message) ? ": " : ", ") + about;
  }
}
