package io.belfry.cli.verb;

import io.belfry.cli.show.Output;
import io.belfry.cli.show.Paint;
import io.belfry.cli.show.When;
import java.io.PrintWriter;
import java.util.Map;
import picocli.CommandLine.Option;

/** How the answer is to look. Threading: confined to its verb. */
public final class Look {
  /** When colours are used. */
  enum Colours {
    AUTO,
    ALWAYS,
    NEVER
  }

  @Option(
      names = {"-o", "--output"},
      paramLabel = "SHAPE",
      description = "table (default), json or yaml; the last two exactly as the server answered.")
  private Output output = Output.TABLE;

  @Option(
      names = "--color",
      paramLabel = "WHEN",
      description = "auto (default: on a terminal, unless NO_COLOR is set), always or never.")
  private Colours colours = Colours.AUTO;

  @Option(names = "--absolute", description = "Times as date and time here, not as '3m ago'.")
  private boolean absolute;

  @Option(names = "--utc", description = "Times as date and time in UTC.")
  private boolean utc;

  public Report report(Surroundings around, PrintWriter out, PrintWriter err) {
    When.Style style = utc ? When.Style.UTC : absolute ? When.Style.LOCAL : When.Style.RELATIVE;
    return new Report(
        out,
        err,
        output,
        new Paint(isColourful(around)),
        new When(around.time()::wall, style, around.zone()),
        around.screen());
  }

  private boolean isColourful(Surroundings around) {
    return switch (colours) {
      case ALWAYS -> true;
      case NEVER -> false;
      case AUTO -> around.screen().out() && wantsColours(around.environment());
    };
  }

  /** By the custom of no-color.org. */
  public static boolean wantsColours(Map<String, String> environment) {
    return environment.getOrDefault("NO_COLOR", "").isEmpty()
        && !environment.getOrDefault("TERM", "").equals("dumb");
  }
}
