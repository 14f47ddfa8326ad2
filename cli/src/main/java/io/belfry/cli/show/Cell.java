package io.belfry.cli.show;

/** A field of a table. Threading: immutable. */
public record Cell(String text, Tone tone) {
  public Cell {
    text = Width.plain(text);
  }

  public static Cell of(String text) {
    return new Cell(text, Tone.PLAIN);
  }

  /** A word of the API, in its colour. */
  public static Cell word(String word) {
    return new Cell(word, Tone.of(word));
  }
}
