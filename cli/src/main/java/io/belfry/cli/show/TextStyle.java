package io.belfry.cli.show;

/** The style of a cell by its meaning, with its ANSI code. */
public enum TextStyle {
  PLAIN(""),
  GOOD("32"),
  BAD("31"),
  WARNING("33"),
  BUSY("36"),
  FAINT("2"),
  STRONG("1");

  private final String code;

  TextStyle(String code) {
    this.code = code;
  }

  String code() {
    return code;
  }

  /** The style of a word of the API: a task's state, a worker's status, the outcome of a change. */
  public static TextStyle of(String word) {
    return switch (word) {
      case "succeeded", "created", "done", "idle", "accepted", "fired" -> GOOD;
      case "failed", "refused", "unhealthy", "lost" -> BAD;
      case "retrying", "cancelled", "changed", "draining", "full", "timeout" -> WARNING;
      case "running", "assigned", "busy" -> BUSY;
      case "skipped", "unchanged", "repeated", "disabled", "handedBack" -> FAINT;
      default -> PLAIN;
    };
  }
}
