package io.belfry.cli.show;

/**
 * What a task has logged, as a terminal may be given it: text and colours, and nothing else that a terminal would obey. A log is written by
 * whoever writes the task; it must not move the cursor over what others have printed, set the title, or answer for the keyboard.
 *
 * <p>Takes the text piece by piece: a sequence may begin in one and end in the next.
 *
 * <p>Threading: confined to its verb.
 */
public final class LogText {
  private static final int SEQUENCE_MAX = 40;
  private static final char ESCAPE = '\u001B';
  private static final char BELL = '\u0007';

  private enum State {
    TEXT,
    /** Behind an escape character. */
    ESCAPED,
    /** Between its {@code ESC [} and the letter that says what it does. */
    CONTROL,
    /** In a text for the terminal itself, such as its title. */
    STRING,
    /** Behind an escape character in such a text, which may end it. */
    STRING_ESCAPED
  }

  private State state = State.TEXT;
  private final StringBuilder sequence = new StringBuilder();
  private boolean afterReturn;
  private boolean coloured;

  public String show(String piece) {
    var shown = new StringBuilder(piece.length());
    piece.codePoints().forEach(c -> take(c, shown));
    return shown.toString();
  }

  /** What must follow the last piece, so that nothing of it stays on the screen. */
  public String end() {
    return coloured ? ESCAPE + "[0m" : "";
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
      shown.append('\n'); // a line is never written over
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
      coloured = true;
    }
    state = parameter ? State.CONTROL : State.TEXT;
  }
}
