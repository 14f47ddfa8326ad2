package io.belfry.cli.show;

/** Adds ANSI colors to text, if enabled. Threading: immutable. */
public record AnsiColors(boolean enabled) {
  private static final String ESCAPE = "\u001B[";

  public String text(TextStyle style, String text) {
    if (!enabled || style == TextStyle.PLAIN || text.isEmpty()) {
      return text;
    }
    return ESCAPE + style.code() + "m" + text + ESCAPE + "0m";
  }
}
