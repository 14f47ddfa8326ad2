package io.belfry.cli.show;

/**
 * A column of a table. Threading: immutable.
 *
 * @param least how narrow it may become before others suffer; 0: it is not cut while anything else can be
 * @param rank when it is left out for want of room: the highest first; 0: never
 * @param right whether its text stands at the right, as numbers do
 */
public record Column(String title, int least, int rank, boolean right) {
  /** One that is always there, and whole if at all possible. */
  public static Column key(String title) {
    return new Column(title, 0, 0, false);
  }

  /** One that is left out when there is no room, those of the highest rank first. */
  public static Column spare(String title, int rank) {
    return new Column(title, 0, rank, false);
  }

  /** One for long text, which may be cut. */
  public static Column text(String title, int least, int rank) {
    return new Column(title, least, rank, false);
  }

  public static Column number(String title, int rank) {
    return new Column(title, 0, rank, true);
  }
}
