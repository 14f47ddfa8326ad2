package io.belfry.cli.verb;

import io.belfry.cli.show.AnsiColors;
import io.belfry.cli.show.Card;
import io.belfry.cli.show.Cell;
import io.belfry.cli.show.LogText;
import io.belfry.cli.show.OutputFormat;
import io.belfry.cli.show.Progress;
import io.belfry.cli.show.Screen;
import io.belfry.cli.show.Table;
import io.belfry.cli.show.TimeText;
import io.belfry.cli.show.Width;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * Prints the output of a verb. It is the only way to the terminal, and it removes or escapes all terminal control characters: a server
 * passes on text that targets, workers and other users wrote.
 *
 * <p>Threading: confined to its verb.
 */
public final class Printer {
  private final PrintWriter out;
  private final PrintWriter err;
  private final OutputFormat output;
  private final AnsiColors colors;
  private final TimeText times;
  private final Screen screen;

  Printer(
      PrintWriter out,
      PrintWriter err,
      OutputFormat output,
      AnsiColors colors,
      TimeText times,
      Screen screen) {
    this.out = out;
    this.err = err;
    this.output = output;
    this.colors = colors;
    this.times = times;
    this.screen = screen;
  }

  public TimeText times() {
    return times;
  }

  public Screen screen() {
    return screen;
  }

  /** Whether the output format is JSON or YAML. */
  public boolean isDocument() {
    return output != OutputFormat.TABLE;
  }

  public void document(JsonNode answer) {
    out.println(output.document(answer));
  }

  /** Prints one of many documents as one line of JSON. */
  public void documentLine(JsonNode answer) {
    out.println(OutputFormat.line(answer));
  }

  public void table(Table table, String none) {
    if (table.isEmpty()) {
      note(none);
    } else {
      table.lines(screen.width(), colors, screen.cutMark()).forEach(out::println);
    }
  }

  public void card(Card card) {
    card.lines(screen.width(), colors, screen.cutMark()).forEach(out::println);
  }

  /** Prints cells on one line, separated by the gap. */
  public void line(String gap, Cell... cells) {
    out.println(Arrays.stream(cells)
        .map(cell -> colors.text(cell.style(), cell.text()))
        .collect(Collectors.joining(Width.plain(gap))));
  }

  public void blankLine() {
    out.println();
  }

  /** Prints the result to standard output: a sentence, or a value such as a token. */
  public void say(String sentence) {
    out.println(Width.plain(sentence));
  }

  /** Prints a message for people to standard error. */
  public void note(String sentence) {
    err.println("belfry: " + Width.plain(sentence));
  }

  /** Prints a question to standard error and leaves the cursor behind it. */
  public void ask(String question) {
    err.print(Width.plain(question) + " ");
    err.flush();
  }

  /** A progress bar on standard error, if that is a terminal. */
  public Progress progress(boolean shown, String what, int all) {
    return new Progress(err, shown && screen.err(), screen, what, all);
  }

  /** Prints a piece of a log: text and colors only. Returns what was printed. */
  public String log(LogText log, String piece) {
    return raw(log.show(piece));
  }

  public void endLog(LogText log) {
    raw(log.end());
  }

  /** Prints a piece of a log unchanged, because the user gave --raw. */
  public String raw(String piece) {
    out.print(piece);
    return piece;
  }

  public void flush() {
    out.flush();
  }

  /** A time field of the document in the chosen format; empty if the field is missing. */
  public String time(JsonNode node, String field) {
    String text = node.path(field).asString("");
    return text.isEmpty() ? "" : times.format(text);
  }

  /** The same for a time in the past. */
  public String past(JsonNode node, String field) {
    String text = node.path(field).asString("");
    return text.isEmpty() ? "" : times.formatPast(text);
  }

  /** Whether the reader of standard output is gone, as after {@code | head}. */
  public boolean isClosed() {
    return out.checkError();
  }
}
