package io.belfry.cli.show;

/**
 * Filters a task's log for a terminal: keeps text and colors, and removes all other control sequences. A task's log is untrusted: it must not
 * move the cursor over other output, set the title, or inject keyboard input.
 *
 * <p>Accepts the text in pieces: an escape sequence may begin in one piece and end in the next.
 *
 * <p>Threading: confined to its verb.
 */
public final class LogText {
  private static final int SEQUENCE_MAX = 40;
  private static final char ESCAPE = '\u001B';
  private static final char BELL = '\u0007';

  private enum State {
    TEXT,
    /** After an escape character. */
    ESCAPED,
    /** Between {@code ESC [} and the final letter. */
    CONTROL,
    /** In a string for the terminal itself, such as its title. */
    STRING,
    /** After an escape character in such a string, which may end it. */
    STRING_ESCAPED
  }

  private State state = State.TEXT;
  private final StringBuilder sequence = new StringBuilder();
  private boolean afterReturn;
  private boolean colored;

  public String show(String piece) {
    var shown = new StringBuilder(piece.length());
    piece.codePoints().forEach(c -> take(c, shown));
    return shown.toString();
  }

  /** The sequence that resets colors after the last piece; empty if no colors were set. */
  public String end() {
    return colored ? ESCAPE + "[0m" : "";
  }

  private void take(int c, StringBuilder shown) {
    switch (state) {
      case TEXT -> text(c, shown);
      case ESCAPED -> escaped(c);
      case CONTROL -> control(c, shown);
      case STRING ->
        state = c == BELL ? State.TEXT : c == ESCAPE ? State.STRING_ESCAPED : State.STRING;
      case STRING_ESCAPED -> state = c == '\\' ? State.TEXT : State.STRING;
    }
  }

  private void text(int c, StringBuilder shown) {
    boolean lineBreak = c == '\n' && !afterReturn;
    afterReturn = c == '\r';
    if (c == ESCAPE) {
      state = State.ESCAPED;
    } else if (c == '\r' || lineBreak) {
      shown.append('\n'); // a carriage return must not overwrite the line
    } else if (c == '\t') {
      shown.append('\t');
    } else if (c != '\n') {
      shown.append(Width.visible(c));
    }
  }

  private void escaped(int c) {
    switch (c) {
      case '[' -> {
        sequence.setLength(0);
        state = State.CONTROL;
      }
      case ']', 'P', 'X', '^', '_' -> state = State.STRING;
      default -> state = State.TEXT;
    }
  }

  private void control(int c, StringBuilder shown) {
    boolean parameter = c >= 0x20 && c <= 0x3F;
    if (parameter && sequence.length() < SEQUENCE_MAX) {
      sequence.appendCodePoint(c);
      return;
    }
    if (c == 'm' && sequence.chars().allMatch(each -> "0123456789;:".indexOf(each) >= 0)) {
      shown.append(ESCAPE).append('[').append(sequence).append('m');
      colored = true;
    }
    state = parameter ? State.CONTROL : State.TEXT;
  }
}
