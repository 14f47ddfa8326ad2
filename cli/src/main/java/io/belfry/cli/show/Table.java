package io.belfry.cli.show;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A table that fits the terminal: long texts are cut first, then the least important columns are dropped, and only then are the important
 * columns cut. Empty columns are not shown.
 *
 * <p>Threading: confined to its verb.
 */
public final class Table {
  private static final String GAP = "  ";
  private static final int CUT_MIN = 4;

  private final List<Column> columns;
  private final List<List<Cell>> rows = new ArrayList<>();

  public Table(Column... columns) {
    this.columns = List.of(columns);
  }

  public void add(Cell... cells) {
    if (cells.length != columns.size()) {
      throw new IllegalArgumentException(
          "A row must have " + columns.size() + " cells, but had " + cells.length + ".");
    }
    rows.add(List.of(cells));
  }

  public boolean isEmpty() {
    return rows.isEmpty();
  }

  /**
   * The lines to print.
   *
   * @param width of the terminal; 0: unlimited
   * @param mark replaces the text that was cut off
   */
  public List<String> lines(int width, AnsiColors colors, String mark) {
    List<Integer> shown = new ArrayList<>(
        IntStream.range(0, columns.size()).filter(this::hasText).boxed().toList());
    int[] widths = IntStream.range(0, columns.size()).map(this::natural).toArray();
    if (width > 0) {
      fit(shown, widths, width);
    }
    var lines = new ArrayList<String>();
    lines.add(line(shown, widths, colors, mark, titles()));
    rows.forEach(row -> lines.add(line(shown, widths, colors, mark, row)));
    return lines;
  }

  private List<Cell> titles() {
    return columns.stream()
        .map(column -> new Cell(column.title(), TextStyle.STRONG))
        .toList();
  }

  private boolean hasText(int column) {
    return columns.get(column).rank() == 0
        || rows.stream().anyMatch(row -> !row.get(column).text().isEmpty());
  }

  private int natural(int column) {
    return rows.stream()
        .mapToInt(row -> Width.of(row.get(column).text()))
        .reduce(Width.of(columns.get(column).title()), Math::max);
  }

  private void fit(List<Integer> shown, int[] widths, int width) {
    while (total(shown, widths) > width) {
      if (narrow(shown, widths, width, true)) {
        return;
      }
      var least = shown.stream().max(Comparator.comparingInt(c -> columns.get(c).rank()));
      if (least.isEmpty() || columns.get(least.get()).rank() == 0) {
        narrow(shown, widths, width, false);
        return;
      }
      shown.remove(/* element */ least.get());
    }
  }

  /** Narrows the widest columns until all fit. Returns whether they fit; if not, a gentle attempt leaves the widths unchanged. */
  private boolean narrow(List<Integer> shown, int[] widths, int width, boolean gently) {
    int[] tried = widths.clone();
    while (total(shown, tried) > width) {
      int widest = -1;
      for (int column : shown) {
        if (tried[column] > least(column, gently, widths)
            && (widest < 0 || tried[column] > tried[widest])) {
          widest = column;
        }
      }
      if (widest < 0) {
        if (!gently) {
          System.arraycopy(tried, 0, widths, 0, widths.length);
        }
        return false;
      }
      tried[widest]--;
    }
    System.arraycopy(tried, 0, widths, 0, widths.length);
    return true;
  }

  private int least(int column, boolean gently, int[] widths) {
    if (!gently) {
      return CUT_MIN;
    }
    int least = columns.get(column).least();
    return least == 0
        ? widths[column]
        : Math.max(least, Width.of(columns.get(column).title()));
  }

  private static int total(List<Integer> shown, int[] widths) {
    return shown.stream().mapToInt(column -> widths[column]).sum()
        + GAP.length() * Math.max(0, shown.size() - 1);
  }

  private String line(
      List<Integer> shown, int[] widths, AnsiColors colors, String mark, List<Cell> row) {
    var line = new StringBuilder();
    int pending = 0; // blanks are written only before further text, so that no line ends with them
    for (int column : shown) {
      Cell cell = row.get(column);
      String text = Width.cut(cell.text(), widths[column], mark);
      int blanks = widths[column] - Width.of(text);
      boolean right = columns.get(column).right();
      if (!text.isEmpty()) {
        line.append(" ".repeat(pending + (right ? blanks : 0)))
            .append(colors.text(cell.style(), text));
        pending = right ? 0 : blanks;
      } else {
        pending += widths[column];
      }
      pending += GAP.length();
    }
    return line.toString();
  }
}
