package io.belfry.cli.show;

/** A table cell: text without control characters, and its style. Threading: immutable. */
public record Cell(String text, TextStyle style) {
  public Cell {
    text = Width.plain(text);
  }

  public static Cell of(String text) {
    return new Cell(text, TextStyle.PLAIN);
  }

  /** A word of the API, such as a state, in the style that belongs to it. */
  public static Cell word(String word) {
    return new Cell(word, TextStyle.of(word));
  }
}
