package io.belfry.bench.task;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Prints results as a growing Markdown table, or as one JSON array at the end. Progress goes to standard error. */
public final class ResultTable {
  private final boolean json;
  private final List<String> columns;
  private final List<String> rows = new ArrayList<>();

  public ResultTable(BenchOptions asked, String... columns) {
    this.json = asked.json();
    this.columns = List.of(columns);
    if (!json) {
      System.out.println("| " + String.join(" | ", columns) + " |");
      System.out.println("|---".repeat(columns.length) + "|");
    }
  }

  /** Adds a row of texts, whole numbers and doubles, one for each column. */
  public void row(Object... values) {
    var cells = new ArrayList<String>();
    for (int i = 0; i < values.length; i++) {
      cells.add(json ? quoted(columns.get(i)) + ": " + value(values[i]) : shown(values[i]));
    }
    if (json) {
      rows.add("  {" + String.join(", ", cells) + "}");
    } else {
      System.out.println("| " + String.join(" | ", cells) + " |");
    }
  }

  public void end() {
    if (json) {
      System.out.println("[\n" + String.join(",\n", rows) + "\n]");
    }
  }

  public static void progress(String format, Object... values) {
    System.err.printf(Locale.ROOT, format + " …%n", values);
  }

  private static String value(Object value) {
    return switch (value) {
      case Double real -> String.format(Locale.ROOT, "%.3f", real);
      case Number whole -> whole.toString();
      default -> quoted(value.toString());
    };
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private static String shown(Object value) {
    return switch (value) {
      case Double real -> String.format(Locale.ROOT, real < 100 ? "%.2f" : "%,.0f", real);
      case Number whole -> String.format(Locale.ROOT, "%,d", whole.longValue());
      default -> value.toString();
    };
  }
}
