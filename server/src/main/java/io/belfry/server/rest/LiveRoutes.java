package io.belfry.server.rest;

import static io.belfry.server.rest.Permission.VIEWER;

import io.belfry.library.Belfry;
import io.belfry.model.Check;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.server.live.EventHub;
import io.belfry.server.live.EventTypes;
import io.belfry.server.live.LogTail;
import io.javalin.http.HandlerType;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What goes on as it goes on. Threading: safe. */
final class LiveRoutes {
  private static final Duration BEAT = Duration.ofSeconds(15);
  private static final Duration LOOK = Duration.ofMillis(500);
  /** The log of a task, while it is read. */
  private static final int LOG_UNITS = AnswerMemory.units(1 << 20);

  private static final int LOOKS_PER_BEAT = (int) BEAT.dividedBy(LOOK);

  private final Spot spot;
  private final Function<Belfry, EventHub> hubs;
  private final BooleanSupplier stopped;
  private final Gate gate;
  private final AnswerMemory answers;
  private final Readers readers = new Readers();

  LiveRoutes(
      Spot spot,
      Function<Belfry, EventHub> hubs,
      Gate gate,
      AnswerMemory answers,
      BooleanSupplier stopped) {
    this.answers = answers;
    this.spot = spot;
    this.hubs = hubs;
    this.gate = gate;
    this.stopped = stopped;
  }

  List<Route> all() {
    return List.of(
        Route.get("events", Spot.NS + "/events", VIEWER, this::events),
        Route.get("taskLogs", Spot.NS + "/tasks/{task}/logs", VIEWER, this::logs));
  }

  @FunctionalInterface
  private interface Telling {
    void to(Stream stream) throws IOException, InterruptedException;
  }

  private Answer stream(Call call, Telling telling) throws IOException {
    if (call.context().method().equals(HandlerType.HEAD)) {
      Stream.head(call.context());
      return Answer.done();
    }
    String who = call.principal().id();
    readers.enter(who);
    try {
      telling.to(Stream.begin(call.context()));
    } catch (IOException e) {
      return Answer.done(); // the reader has gone, which is how streams end
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      readers.leave(who);
    }
    return Answer.done();
  }

  /** A stream ends with the server, with the namespace, and with the right to read it: token and session. */
  private boolean goesOn(Call call, Belfry belfry) {
    return !stopped.getAsBoolean()
        && spot.namespaces().find(call.path("ns")).filter(now -> now == belfry).isPresent()
        && gate.isStillValid(call.context(), call.principal());
  }

  private Answer events(Call call) throws IOException {
    call.knows("type", "job");
    Set<String> types = call.query("type").map(LiveRoutes::types).orElse(Set.of());
    Optional<String> job = call.query("job");
    Belfry belfry = spot.of(call);
    EventHub hub = hubs.apply(belfry);
    long now = hub.begin();
    Optional<String> resumed = call.header("Last-Event-ID");
    Optional<Long> from =
        resumed.flatMap(id -> number(id, hub)).filter(number -> number >= 0 && number <= now);
    return stream(call, stream -> {
      if (resumed.isPresent() && from.isEmpty()) {
        reset(stream, hub, now);
      }
      tell(
          call,
          () -> goesOn(call, belfry),
          stream,
          hub,
          from.orElse(now),
          told -> (types.isEmpty() || types.contains(told.type()))
              && (job.isEmpty() || job.equals(told.job())));
    });
  }

  private static Set<String> types(String text) {
    Set<String> known = EventTypes.all();
    return Arrays.stream(text.split(","))
        .map(String::strip)
        .map(type -> {
          Check.that(
              known.contains(type),
              "type",
              type,
              "must be one of " + known.stream().sorted().collect(Collectors.joining(", ")),
              "Correct it.");
          return type;
        })
        .collect(Collectors.toSet());
  }

  private static Optional<Long> number(String id, EventHub hub) {
    String prefix = hub.name() + "-";
    if (!id.startsWith(prefix)) {
      return Optional.empty();
    }
    try {
      return Optional.of(Long.parseLong(id.substring(prefix.length())));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static void reset(Stream stream, EventHub hub, long at) throws IOException {
    stream.event(hub.name() + "-" + at, "reset", "{}");
    stream.flush();
  }

  private void tell(
      Call call,
      BooleanSupplier goesOn,
      Stream stream,
      EventHub hub,
      long from,
      Predicate<EventHub.Event> wanted)
      throws IOException, InterruptedException {
    long at = from;
    int quiet = 0;
    while (goesOn.getAsBoolean()) {
      Optional<EventHub.Batch> batch = hub.after(at, LOOK);
      if (batch.isEmpty()) {
        return;
      }
      int units = AnswerMemory.units(batch.get().bytes());
      if (!answers.beginSending(call.principal().id(), units, LOOK)) {
        continue; // what it cannot be sent now is kept by the hub, or counts as missed some time
      }
      try {
        if (batch.get().missed()) {
          reset(stream, hub, at);
        }
        for (EventHub.Event told : batch.get().events()) {
          at = told.number();
          if (wanted.test(told)) {
            stream.event(hub.name() + "-" + at, told.type(), told.json());
          }
        }
      } finally {
        answers.endSending(call.principal().id(), units);
      }
      quiet = batch.get().events().isEmpty() ? quiet + 1 : 0;
      if (quiet == LOOKS_PER_BEAT) {
        stream.beat();
        quiet = 0;
      }
      stream.flush();
    }
  }

  private Answer logs(Call call) throws IOException {
    call.knows("follow");
    Belfry belfry = spot.of(call);
    TaskId id = TaskId.parse(call.path("task"));
    call.holding().begin(Cost.SEARCH);
    if (belfry.task(id).isEmpty()) {
      throw Problem.notFound("task", id.toString());
    }
    if (!call.flag("follow").orElse(false)) {
      return Answer.ok(TaskRoutes.logs(belfry.logs(id)));
    }
    var tail = new LogTail();
    call.header("Last-Event-ID").ifPresent(seen -> resume(tail, seen, belfry, id));
    call.holding().built(0);
    return stream(call, stream -> follow(call, stream, tail, belfry, id));
  }

  private static void resume(LogTail tail, String seen, Belfry belfry, TaskId id) {
    int colon = seen.indexOf(':');
    try {
      tail.resume(
          Integer.parseInt(seen.substring(0, Math.max(0, colon))),
          Integer.parseInt(seen.substring(colon + 1)),
          belfry.logs(id));
    } catch (NumberFormatException e) {
      throw Check.refusal(
          "Last-Event-ID", seen, "must be the id of an event of this stream", "Leave it out.");
    }
  }

  /** Until the task has ended and all of its log was sent: the last lines are written a moment after the end. */
  private void follow(Call call, Stream stream, LogTail tail, Belfry belfry, TaskId id)
      throws IOException {
    int quiet = 0;
    int beats = 0;
    while (goesOn(call, belfry)) {
      boolean over = belfry.task(id).map(Task::isFinal).orElse(true);
      Optional<LogTail.Piece> news = look(call, tail, belfry, id);
      if (news.isPresent()) {
        send(stream, news.get());
      }
      quiet = over && news.isEmpty() ? quiet + 1 : 0;
      if (quiet > 4) {
        stream.event("end", "end", "{}");
        stream.flush();
        return;
      }
      beats = news.isEmpty() ? beats + 1 : 0;
      if (beats % LOOKS_PER_BEAT == LOOKS_PER_BEAT - 1) {
        stream.beat();
      }
      stream.flush();
      if (news.isEmpty()) {
        LockSupport.parkNanos(LOOK.toNanos());
      }
    }
  }

  /** The next piece; none if there is no memory for reading the log now. */
  private Optional<LogTail.Piece> look(Call call, LogTail tail, Belfry belfry, TaskId id) {
    String who = call.principal().id();
    if (!answers.beginSending(who, LOG_UNITS, LOOK)) {
      return Optional.empty();
    }
    try {
      return tail.news(belfry.logs(id));
    } finally {
      answers.endSending(who, LOG_UNITS);
    }
  }

  private static void send(Stream stream, LogTail.Piece piece) throws IOException {
    stream.event(
        piece.attempt() + ":" + piece.to(),
        piece.anew() ? "anew" : "log",
        Spot.node().put("attempt", piece.attempt()).put("text", piece.text()).toString());
    stream.flush();
  }
}
