package io.belfry.cli.verb;

import io.belfry.cli.show.AnsiColors;
import io.belfry.cli.show.OutputFormat;
import io.belfry.cli.show.TimeText;
import java.io.PrintWriter;
import java.util.Map;
import picocli.CommandLine.Option;

/** Options for output format, colors and times. Threading: confined to its verb. */
public final class OutputOptions {
  /** When to use colors. */
  enum Colors {
    AUTO,
    ALWAYS,
    NEVER
  }

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description =
          "Output format: table, json or yaml. json and yaml print the complete response of the server. Default: table.")
  private OutputFormat output = OutputFormat.TABLE;

  @Option(
      names = "--color",
      paramLabel = "WHEN",
      description =
          "When to use colors: auto, always or never. auto uses them on a terminal unless NO_COLOR is set. Default: auto.")
  private Colors colors = Colors.AUTO;

  @Option(
      names = "--absolute",
      description = "Show times as local date and time. Default: relative, such as '3m ago'.")
  private boolean absolute;

  @Option(
      names = "--utc",
      description = "Show times as date and time in UTC. Default: relative, such as '3m ago'.")
  private boolean utc;

  public Printer printer(VerbContext context, PrintWriter out, PrintWriter err) {
    TimeText.Style style =
        utc ? TimeText.Style.UTC : absolute ? TimeText.Style.LOCAL : TimeText.Style.RELATIVE;
    return new Printer(
        out,
        err,
        output,
        new AnsiColors(usesColors(context)),
        new TimeText(context.time()::wall, style, context.zone()),
        context.screen());
  }

  private boolean usesColors(VerbContext context) {
    return switch (colors) {
      case ALWAYS -> true;
      case NEVER -> false;
      case AUTO -> context.screen().out() && wantsColors(context.environment());
    };
  }

  /** Whether colors are wanted according to no-color.org. */
  public static boolean wantsColors(Map<String, String> environment) {
    return environment.getOrDefault("NO_COLOR", "").isEmpty()
        && !environment.getOrDefault("TERM", "").equals("dumb");
  }
}
