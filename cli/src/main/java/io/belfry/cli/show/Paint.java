package io.belfry.cli.show;

/** Colours, or none. Threading: immutable. */
public record Paint(boolean colours) {
  private static final String ESCAPE = "\u001B[";

  public String text(Tone tone, String text) {
    if (!colours || tone == Tone.PLAIN || text.isEmpty()) {
      return text;
    }
    return ESCAPE + tone.code() + "m" + text + ESCAPE + "0m";
  }
}
