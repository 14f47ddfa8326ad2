package io.belfry.cli.verb;

import io.belfry.cli.show.Card;
import io.belfry.cli.show.Output;
import io.belfry.cli.show.Paint;
import io.belfry.cli.show.Screen;
import io.belfry.cli.show.Table;
import io.belfry.cli.show.Tone;
import io.belfry.cli.show.When;
import io.belfry.cli.show.Width;
import java.io.PrintWriter;
import tools.jackson.databind.JsonNode;

/** Where the answer goes. Threading: confined to its verb. */
public record Report(
    PrintWriter out, PrintWriter err, Output output, Paint paint, When when, Screen screen) {

  /** Whether the answer is for a program. */
  public boolean isDocument() {
    return output != Output.TABLE;
  }

  public void document(JsonNode answer) {
    out.println(output.document(answer));
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

  /** A sentence that is the answer. */
  public void say(String sentence) {
    out.println(Width.plain(sentence));
  }

  /** A sentence beside the answer: for people, not for what reads a pipe. */
  public void note(String sentence) {
    err.println("belfry: " + Width.plain(sentence));
  }

  public String paint(Tone tone, String text) {
    return paint.text(tone, Width.plain(text));
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
