package io.belfry.cli.cluster;

import io.belfry.cli.show.Cell;
import io.belfry.cli.show.Tone;
import io.belfry.cli.show.When;
import io.belfry.cli.show.Width;
import io.belfry.cli.verb.Report;
import io.belfry.cli.verb.Surroundings;
import io.belfry.cli.verb.TimeOption;
import io.belfry.cli.verb.Verb;
import io.belfry.client.BelfryClient;
import io.belfry.client.EventStream;
import io.belfry.client.ServerEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "events",
    description = "Shows what happens: for a few seconds, or with -f until Ctrl-C.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  belfry cluster events -f",
      "  belfry cluster events -f --type taskFailed,workerLeft",
      "  belfry cluster events --job nightly-invoices --for 5m --output json"
    })
final class ClusterEvents extends Verb {
  private static final int TYPE_COLUMNS = 15;

  @Option(
      names = {"-f", "--follow"},
      description = "Goes on without end, across broken connections. Ctrl-C ends it.")
  private boolean follow;

  @Option(
      names = "--for",
      paramLabel = "DURATION",
      description = "How long, without -f. Default: 10s.")
  private @Nullable String length;

  @Option(names = "--count", paramLabel = "N", description = "Ends after so many.")
  private long count = Long.MAX_VALUE;

  @Option(
      names = "--type",
      paramLabel = "TYPES",
      description =
          "Only these, with commas between them: taskCompleted, taskFailed, workerLeft, …")
  private @Nullable String type;

  @Option(names = "--job", paramLabel = "ID", description = "Only of this job.")
  private @Nullable String job;

  @Option(
      names = "--after",
      paramLabel = "ID",
      description = "Goes on behind this event, whose id --output json shows.")
  private @Nullable String after;

  private int columns;

  ClusterEvents(Surroundings around) {
    super(around);
  }

  @Override
  protected void check() {
    if (follow && length != null) {
      throw usage("--follow and --for exclude each other.");
    }
    if (count < 1) {
      throw usage("--count must be 1 or more, but was " + count + ".");
    }
  }

  @Override
  protected int run(BelfryClient client, Report report) {
    columns = report.screen().width();
    Optional<Instant> until = follow
        ? Optional.empty()
        : Optional.of(around()
            .time()
            .wall()
            .plus(TimeOption.duration(this, "--for", length == null ? "10s" : length)));
    try (EventStream stream = client
        .cluster()
        .events(
            Optional.ofNullable(type),
            Optional.ofNullable(job),
            Optional.ofNullable(after),
            broken -> report.note("The connection broke off; trying again."))) {
      for (long shown = 0; shown < count && !report.isDeaf(); shown++) {
        Optional<ServerEvent> event = next(stream, until);
        if (event.isEmpty()) {
          return 0;
        }
        show(report, event.get());
      }
    }
    return 0;
  }

  private Optional<ServerEvent> next(EventStream stream, Optional<Instant> until) {
    if (until.isEmpty()) {
      return stream.next();
    }
    Duration left = Duration.between(around().time().wall(), until.get());
    return left.isNegative() ? Optional.empty() : stream.next(left);
  }

  private void show(Report report, ServerEvent event) {
    if (event.type().equals("reset")) {
      report.note("Some events were missed.");
    } else if (report.isDocument()) {
      report.documentLine(whole(event));
    } else {
      String clock = clock(report);
      String type = Width.pad(Width.plain(event.type()), TYPE_COLUMNS);
      int room =
          columns == 0 ? Integer.MAX_VALUE : Math.max(1, columns - Width.of(clock + type) - 4);
      report.line(
          "  ",
          new Cell(clock, Tone.FAINT),
          new Cell(type, tone(event)),
          Cell.of(Width.cut(details(event.data()), room, report.screen().cutMark())));
    }
    report.flush();
  }

  /** Of when it was heard: "now" would be said of every line. */
  private String clock(Report report) {
    When when = report.when();
    When.Style style = when.style() == When.Style.RELATIVE ? When.Style.LOCAL : when.style();
    return new When(when.clock(), style, when.zone()).say(around().time().wall());
  }

  /** With its id, to go on behind it. */
  private static JsonNode whole(ServerEvent event) {
    ObjectNode whole = JsonNodeFactory.instance.objectNode();
    event.id().ifPresent(id -> whole.put("id", id));
    whole.put("event", event.type());
    whole.set("data", event.data());
    return whole;
  }

  private static Tone tone(ServerEvent event) {
    String state = event.data().path("state").asString("");
    return state.isEmpty() ? Tone.PLAIN : Tone.of(state);
  }

  private static String details(JsonNode data) {
    String text = data.properties().stream()
        .filter(each -> !each.getKey().equals("type") && !each.getKey().equals("name"))
        .map(each -> each.getKey().equals("task") || each.getKey().equals("worker")
            ? each.getValue().asString("")
            : each.getKey() + "=" + each.getValue().asString(""))
        .collect(Collectors.joining("  "));
    return Width.plain(text);
  }
}
