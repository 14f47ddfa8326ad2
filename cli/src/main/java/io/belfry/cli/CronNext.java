package io.belfry.cli;

import io.belfry.cli.show.OutputFormat;
import io.belfry.cli.show.Width;
import io.belfry.cli.verb.Times;
import io.belfry.model.cron.Cron;
import io.belfry.model.cron.Dialect;
import io.belfry.model.cron.Fire;
import io.belfry.model.cron.Language;
import io.belfry.model.time.Time;
import java.io.PrintWriter;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code belfry cron next}: previews when an expression fires. */
@Command(
    name = "next",
    description = "Show the next fire times of a cron expression and its meaning in plain words.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  belfry cron next '0 30 2 * * MON-FRI' --zone America/New_York --count 5",
      "  belfry cron next '*/5 * * * *' --after 2027-01-01T00:00:00Z --output json",
      "  belfry cron next 'H H * * *' --job nightly-invoices",
      "",
      "docs/cron.md describes the syntax."
    })
final class CronNext implements Callable<Integer> {
  private static final int COUNT_MAX = 1000;
  private static final DateTimeFormatter ROW =
      DateTimeFormatter.ofPattern("EEE uuuu-MM-dd HH:mm:ss xxx", Locale.ROOT);

  /** The documented JSON output; its field names must not change. */
  record Answer(String expression, String zone, String description, List<String> next) {}

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before it runs anything
  private CommandSpec spec;

  @Parameters(
      paramLabel = "EXPRESSION",
      description =
          "Cron expression in quotes: 5 fields, 6 with seconds first, 7 with the year last, or a macro such as @daily.")
  private String expression = "";

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      description =
          "Time zone of the expression, such as Asia/Shanghai. Default: the zone of this machine.")
  private @Nullable String zone;

  @Option(
      names = "--after",
      paramLabel = "TIME",
      description =
          "Show fire times after this time, such as 2027-01-01T00:00:00Z, -2h or +10m. Without an offset it is local to --zone. Default: now.")
  private @Nullable String after;

  @Option(
      names = "--count",
      paramLabel = "N",
      description = "Number of fire times to show, 1 to " + COUNT_MAX + ". Default: 5.")
  private int count = 5;

  @Option(
      names = "--job",
      paramLabel = "ID",
      description = "Job id used to resolve H (hash) fields. Needed if the expression contains H.")
  private @Nullable String job;

  @Option(
      names = "--dialect",
      paramLabel = "DIALECT",
      description =
          "Weekday numbering: belfry (0 and 7 are Sunday) or quartz (1 is Sunday). Default: belfry.")
  private Dialect dialect = Dialect.BELFRY;

  @Option(
      names = "--language",
      paramLabel = "LANGUAGE",
      description = "Language of the description: english or chinese. Default: english.")
  private Language language = Language.ENGLISH;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "Output format: table, json or yaml. Default: table.")
  private OutputFormat output = OutputFormat.TABLE;

  private final Time time;

  CronNext(Time time) {
    this.time = time;
  }

  @Override
  public Integer call() {
    if (count < 1 || count > COUNT_MAX) {
      throw usage("--count must be 1 to " + COUNT_MAX + ", but was " + count + ".");
    }
    ZoneId in = zoneId();
    Instant start = start(in);
    Cron cron = (job == null
            ? Cron.parse(expression, dialect)
            : Cron.parse(expression, dialect, job))
        .in(in)
        .from(start);
    List<Fire> fires = cron.preview(start, count);
    PrintWriter out = spec.commandLine().getOut();
    if (output == OutputFormat.TABLE) {
      table(cron, fires, out);
    } else {
      out.println(output.document(answer(cron, fires)));
    }
    return 0;
  }

  private Answer answer(Cron cron, List<Fire> fires) {
    List<String> times = fires.stream()
        .map(fire -> DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(fire.time()))
        .toList();
    return new Answer(expression, name(cron.zone()), cron.describe(language), times);
  }

  private void table(Cron cron, List<Fire> fires, PrintWriter out) {
    out.println(Width.plain(cron.describe(language) + " (" + name(cron.zone()) + ")"));
    if (fires.isEmpty()) {
      out.println("  no further fire times");
    }
    for (Fire fire : fires) {
      out.println(("  " + ROW.format(fire.time()) + "  " + remark(fire)).stripTrailing());
    }
  }

  private static String remark(Fire fire) {
    return switch (fire.mark()) {
      case MOVED -> "moved: the clocks jump over " + fire.nominal().toLocalTime() + " that day";
      case FIRST_OF_TWO -> "the first of two: the clocks go back that day";
      case SECOND_OF_TWO -> "the second of two: the clocks went back";
      case PLAIN -> fire.clockChanged() ? "the clocks have changed" : "";
    };
  }

  private static String name(ZoneId zone) {
    return zone.equals(ZoneOffset.UTC) ? "UTC" : zone.getId();
  }

  private ZoneId zoneId() {
    try {
      return zone == null ? ZoneId.systemDefault() : ZoneId.of(zone);
    } catch (DateTimeException e) {
      throw usage(
          "--zone must be a time zone such as Asia/Shanghai, Europe/Berlin or UTC, but was '" + zone
              + "'.");
    }
  }

  private Instant start(ZoneId in) {
    if (after == null) {
      return time.wall();
    }
    return Times.parse(after, time, in)
        .orElseThrow(() -> usage(
            "--after must be a time such as 2027-01-01T00:00:00Z, 2027-01-01T08:00:00+08:00 or 2027-01-01, but was '"
                + after + "'."));
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
