package io.belfry.cli.verb;

import io.belfry.cli.show.Card;
import io.belfry.cli.show.Cell;
import io.belfry.cli.show.LogText;
import io.belfry.cli.show.Output;
import io.belfry.cli.show.Paint;
import io.belfry.cli.show.Progress;
import io.belfry.cli.show.Screen;
import io.belfry.cli.show.Table;
import io.belfry.cli.show.When;
import io.belfry.cli.show.Width;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * Where the answer goes. The only way of a verb to the screen: it keeps the writers to itself, and every way out of here takes away or escapes
 * what a terminal would obey. A server passes on what targets, workers and other users wrote.
 *
 * <p>Threading: confined to its verb.
 */
public final class Report {
  private final PrintWriter out;
  private final PrintWriter err;
  private final Output output;
  private final Paint paint;
  private final When when;
  private final Screen screen;

  Report(PrintWriter out, PrintWriter err, Output output, Paint paint, When when, Screen screen) {
    this.out = out;
    this.err = err;
    this.output = output;
    this.paint = paint;
    this.when = when;
    this.screen = screen;
  }

  public When when() {
    return when;
  }

  public Screen screen() {
    return screen;
  }

  /** Whether the answer is for a program. */
  public boolean isDocument() {
    return output != Output.TABLE;
  }

  public void document(JsonNode answer) {
    out.println(output.document(answer));
  }

  /** One of many documents: JSON on a line of its own. */
  public void documentLine(JsonNode answer) {
    out.println(Output.line(answer));
  }

  public void table(Table table, String none) {
    if (table.isEmpty()) {
      note(none);
    } else {
      table.lines(screen.width(), paint, screen.cutMark()).forEach(out::println);
    }
  }

  public void card(Card card) {
    card.lines(screen.width(), paint, screen.cutMark()).forEach(out::println);
  }

  /** Cells on one line, with something between them. */
  public void line(String gap, Cell... cells) {
    out.println(Arrays.stream(cells)
        .map(cell -> paint.text(cell.tone(), cell.text()))
        .collect(Collectors.joining(Width.plain(gap))));
  }

  public void blankLine() {
    out.println();
  }

  /** A sentence that is the answer; or a value, such as a token, which a pipe can take as it is. */
  public void say(String sentence) {
    out.println(Width.plain(sentence));
  }

  /** A sentence beside the answer: for people, not for what reads a pipe. */
  public void note(String sentence) {
    err.println("belfry: " + Width.plain(sentence));
  }

  /** A question, behind which the answer is typed. */
  public void ask(String question) {
    err.print(Width.plain(question) + " ");
    err.flush();
  }

  /** A bar beside the answer, if somebody can see it. */
  public Progress progress(boolean shown, String what, int all) {
    return new Progress(err, shown && screen.err(), screen, what, all);
  }

  /** A piece of a log: text and colours. Returns what was printed. */
  public String log(LogText log, String piece) {
    return raw(log.show(piece));
  }

  public void endOf(LogText log) {
    raw(log.end());
  }

  /** A piece of a log as it was logged, because the user asked for that. */
  public String raw(String piece) {
    out.print(piece);
    return piece;
  }

  public void flush() {
    out.flush();
  }

  /** A time of the document, as people say it; nothing if it is not there. */
  public String time(JsonNode node, String field) {
    String text = node.path(field).asString("");
    return text.isEmpty() ? "" : when.say(text);
  }

  /** The same of a time that can only lie behind us. */
  public String past(JsonNode node, String field) {
    String text = node.path(field).asString("");
    return text.isEmpty() ? "" : when.sayPast(text);
  }

  /** Whether nobody reads any more, as after {@code | head}. */
  public boolean isDeaf() {
    return out.checkError();
  }
}
