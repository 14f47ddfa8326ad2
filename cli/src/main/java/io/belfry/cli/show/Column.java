package io.belfry.cli.show;

/**
 * A column of a table. Threading: immutable.
 *
 * @param least minimum width before other columns are dropped; 0: cut only as the last resort
 * @param rank order in which columns are dropped if the terminal is too narrow: the highest first; 0: never
 * @param right whether the text is right-aligned, as for numbers
 */
public record Column(String title, int least, int rank, boolean right) {
  /** A column that is always shown, and cut only as the last resort. */
  public static Column key(String title) {
    return new Column(title, 0, 0, false);
  }

  /** A column that is dropped if the terminal is too narrow, the highest rank first. */
  public static Column spare(String title, int rank) {
    return new Column(title, 0, rank, false);
  }

  /** A column of long text, which may be cut. */
  public static Column text(String title, int least, int rank) {
    return new Column(title, least, rank, false);
  }

  public static Column number(String title, int rank) {
    return new Column(title, 0, rank, true);
  }
}
