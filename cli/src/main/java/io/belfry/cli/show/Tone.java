package io.belfry.cli.show;

/** What a word means for who reads it; {@link Paint} knows the colour. */
public enum Tone {
  PLAIN(""),
  GOOD("32"),
  BAD("31"),
  WARNING("33"),
  BUSY("36"),
  FAINT("2"),
  STRONG("1");

  private final String code;

  Tone(String code) {
    this.code = code;
  }

  String code() {
    return code;
  }

  /** Of a word of the API: a task's state, a worker's status, the outcome of a change. */
  public static Tone of(String word) {
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
