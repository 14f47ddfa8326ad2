package io.belfry.cli.cluster;

import io.belfry.cli.show.Cell;
import io.belfry.cli.show.TextStyle;
import io.belfry.cli.show.TimeText;
import io.belfry.cli.show.Width;
import io.belfry.cli.verb.Printer;
import io.belfry.cli.verb.TimeOption;
import io.belfry.cli.verb.Verb;
import io.belfry.cli.verb.VerbContext;
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
    description =
        "Stream events of the namespace: for a few seconds, or with --follow until Ctrl-C.",
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
      description = "Stream without end; reconnect after a lost connection. Stop with Ctrl-C.")
  private boolean follow;

  @Option(
      names = "--for",
      paramLabel = "DURATION",
      description = "How long to stream without --follow. Default: 10s.")
  private @Nullable String length;

  @Option(
      names = "--count",
      paramLabel = "N",
      description = "Stop after this number of events. Default: no limit.")
  private long count = Long.MAX_VALUE;

  @Option(
      names = "--type",
      paramLabel = "TYPES",
      description =
          "Show only events of these types, separated by commas: taskCompleted, taskFailed, workerLeft, …")
  private @Nullable String type;

  @Option(names = "--job", paramLabel = "ID", description = "Show only events of this job.")
  private @Nullable String job;

  @Option(
      names = "--after",
      paramLabel = "ID",
      description = "Resume after this event id (see --output json).")
  private @Nullable String after;

  private int columns;

  ClusterEvents(VerbContext context) {
    super(context);
  }

  @Override
  protected void check() {
    if (follow && length != null) {
      throw usage("--follow and --for cannot be combined.");
    }
    if (count < 1) {
      throw usage("--count must be 1 or more, but was " + count + ".");
    }
  }

  @Override
  protected int run(BelfryClient client, Printer printer) {
    columns = printer.screen().width();
    Optional<Instant> until = follow
        ? Optional.empty()
        : Optional.of(context()
            .time()
            .wall()
            .plus(TimeOption.duration(this, "--for", length == null ? "10s" : length)));
    try (EventStream stream = client
        .cluster()
        .events(
            Optional.ofNullable(type),
            Optional.ofNullable(job),
            Optional.ofNullable(after),
            broken -> printer.note("Connection lost; reconnecting."))) {
      for (long shown = 0; shown < count && !printer.isClosed(); shown++) {
        Optional<ServerEvent> event = next(stream, until);
        if (event.isEmpty()) {
          return 0;
        }
        show(printer, event.get());
      }
    }
    return 0;
  }

  private Optional<ServerEvent> next(EventStream stream, Optional<Instant> until) {
    if (until.isEmpty()) {
      return stream.next();
    }
    Duration left = Duration.between(context().time().wall(), until.get());
    return left.isNegative() ? Optional.empty() : stream.next(left);
  }

  private void show(Printer printer, ServerEvent event) {
    if (event.type().equals("reset")) {
      printer.note("Some events were missed.");
    } else if (printer.isDocument()) {
      printer.documentLine(whole(event));
    } else {
      String clock = clock(printer);
      String type = Width.pad(Width.plain(event.type()), TYPE_COLUMNS);
      int room =
          columns == 0 ? Integer.MAX_VALUE : Math.max(1, columns - Width.of(clock + type) - 4);
      printer.line(
          "  ",
          new Cell(clock, TextStyle.FAINT),
          new Cell(type, style(event)),
          Cell.of(Width.cut(details(event.data()), room, printer.screen().cutMark())));
    }
    printer.flush();
  }

  /** The time of receipt. It is always absolute: relative to now, every line would show "now". */
  private String clock(Printer printer) {
    TimeText times = printer.times();
    TimeText.Style style =
        times.style() == TimeText.Style.RELATIVE ? TimeText.Style.LOCAL : times.style();
    return new TimeText(times.clock(), style, times.zone())
        .format(context().time().wall());
  }

  /** The event with its id, for --after. */
  private static JsonNode whole(ServerEvent event) {
    ObjectNode whole = JsonNodeFactory.instance.objectNode();
    event.id().ifPresent(id -> whole.put("id", id));
    whole.put("event", event.type());
    whole.set("data", event.data());
    return whole;
  }

  private static TextStyle style(ServerEvent event) {
    String state = event.data().path("state").asString("");
    return state.isEmpty() ? TextStyle.PLAIN : TextStyle.of(state);
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
