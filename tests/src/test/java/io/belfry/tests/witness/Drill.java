package io.belfry.tests.witness;

import static org.awaitility.Awaitility.await;

import io.belfry.model.time.Time;
import io.belfry.testkit.engine.ServerProcess;
import io.belfry.tests.cluster.Rest;
import io.belfry.tests.cluster.ServerNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * One real server on an embedded store, to which tasks are submitted while it is made hard for it.
 *
 * <p>Threading: safe, by one lock around what is counted.
 */
final class Drill implements AutoCloseable {
  private static final int WORK_MILLIS = 200;
  /** What waits because there is too much of it, or no room, is not late. */
  private static final Bounds PATIENT = new Bounds(Duration.ofHours(1), Duration.ofHours(1));

  private static final String NS = Rest.NS;

  private final LedgerServer ledger = new LedgerServer();
  private final ServerNode node;
  private final Rest rest = new Rest(ServerMaker.TOKEN);
  private final Time time = Time.system();
  private final List<Call> calls = new ArrayList<>();
  private final List<Outage> outages = new ArrayList<>();
  private int asked;
  private int acknowledged;
  private final Map<String, Integer> refusals = new LinkedHashMap<>();
  private final List<String> complaints = new ArrayList<>();

  Drill(Path directory, List<String> flags, String... jvm) {
    ServerMaker.jar(directory.resolve("handlers").resolve("ledger.jar"));
    ServerMaker.token(directory.resolve("token"));
    var all = new ArrayList<>(
        List.of("--port", "0", "--set", "handlers.directory=" + directory.resolve("handlers")));
    all.addAll(flags);
    node = ServerNode.launch(
        "server",
        "lone",
        Map.of("BELFRY_ADMIN_TOKEN_FILE", directory.resolve("token").toString()),
        all,
        ServerMaker.program(ledger.port(), "lone", jvm),
        directory);
    boolean ready = false;
    try {
      node.awaitReady();
      ready = true;
    } finally {
      if (!ready) {
        close();
      }
    }
  }

  /** What came of it; nothing was found if there is nothing to complain of. */
  record Outcome(
      Verdict verdict, int acknowledged, Map<String, Integer> refused, List<String> complaints) {
    boolean clean() {
      return verdict.clean() && complaints.isEmpty();
    }

    String text() {
      return verdict.text()
          + "acknowledged %,d · refused %s%n".formatted(acknowledged, refused)
          + String.join(
              "", complaints.stream().map(each -> "  ! " + each + "\n").toList());
    }
  }

  ServerProcess process() {
    return node.process();
  }

  Rest.Reply get(String path) {
    return rest.get(node.url() + path);
  }

  synchronized int acknowledgedCount() {
    return acknowledged;
  }

  synchronized boolean hasRefused() {
    return !refusals.isEmpty();
  }

  /** Submits one task; whether it was acknowledged. What is refused must say when to come again. */
  boolean submit(String filling) {
    int number = next();
    var order = new Order("submit-" + number, Duration.ofMillis(number * 37L % WORK_MILLIS));
    Instant invoked = time.wall();
    Rest.Reply reply = rest.post(
        node.url() + NS + "/tasks",
        "{\"executor\": {\"type\": \"local\", \"handler\": \"ledger\"}, \"payload\": "
            + order.payload(filling) + "}");
    synchronized (this) {
      calls.add(new Call(
          Call.What.SUBMIT,
          order.key(),
          invoked,
          invoked,
          time.wall(),
          RestCounter.answer(reply),
          Optional.of(reply.body().path("id").asString("")).filter(id -> reply.isFine())));
      if (reply.isFine()) {
        acknowledged++;
        return true;
      }
      String code = reply.body().path("code").asString("no answer");
      refusals.merge(reply.status() + " " + code, 1, Integer::sum);
      if (reply.status() != 429 && reply.status() != 503) {
        complain("refused by " + reply);
      } else if (reply.retryAfter().isEmpty()) {
        complain("refused without Retry-After: " + reply);
      }
      return false;
    }
  }

  private synchronized int next() {
    return ++asked;
  }

  synchronized void complain(String what) {
    if (complaints.size() < 10) {
      complaints.add(what);
    }
  }

  /** Whether submits are taken again within the time. */
  void awaitRecovery(Duration patience) {
    await("submits are taken again").atMost(patience).until(() -> submit("again"));
  }

  void killAndStartAgain() {
    Instant from = time.wall();
    node.process().kill();
    Instant gone = time.wall();
    node.startAgain();
    away("lone", Outage.Kind.KILLED, from, gone);
  }

  /** The store could take nothing from then until now. */
  void hadNoRoom(Instant from) {
    away(Outage.ENGINE, Outage.Kind.PAUSED, from, from);
  }

  private synchronized void away(String who, Outage.Kind kind, Instant from, Instant gone) {
    outages.add(new Outage(who, kind, from, gone, time.wall()));
  }

  /** Lets everything end, and holds what was acknowledged against the ledger and against what the server tells. */
  Outcome finish(Duration patience) {
    await("no task is left")
        .atMost(patience)
        .pollInterval(Duration.ofMillis(500))
        .until(() -> List.of("pending", "assigned", "running", "retrying").stream()
            .allMatch(state -> {
              Rest.Reply page = get(NS + "/tasks?limit=1&state=" + state);
              return page.isFine() && page.body().path("items").isEmpty();
            }));
    synchronized (this) {
      Verdict verdict = Checker.check(new Evidence(
          ledger, List.of(), calls, told(), List.of(), outages, List.of(), time.wall(), PATIENT));
      return new Outcome(verdict, acknowledged, Map.copyOf(refusals), List.copyOf(complaints));
    }
  }

  /** What the server lists of finished tasks. A list names no token: of tasks with several attempts they are asked for one by one. */
  private Told told() {
    Map<String, Set<Long>> tokens = new HashMap<>();
    ledger.forEach(line -> tokens
        .computeIfAbsent(line.entry().task(), task -> new HashSet<>())
        .add(line.entry().token()));
    Map<String, List<Told.End>> ends = new HashMap<>();
    String cursor = "";
    do {
      Rest.Reply page = get(NS + "/tasks?limit=1000" + cursor);
      page.body()
          .path("items")
          .forEach(
              item -> ends.computeIfAbsent(item.path("id").asString(), task -> new ArrayList<>())
                  .add(end(item, tokens)));
      String next = page.body().path("next").asString("");
      cursor = next.isEmpty() ? "" : "&cursor=" + next;
    } while (!cursor.isEmpty());
    return new Told(ends, List.of(), Map.of(), Map.of());
  }

  private Told.End end(JsonNode item, Map<String, Set<Long>> tokens) {
    String id = item.path("id").asString();
    Set<Long> known = tokens.getOrDefault(id, Set.of());
    long token;
    if (item.path("attempts").asInt() == 1 && known.size() == 1) {
      token = known.iterator().next();
    } else {
      JsonNode attempts = get(NS + "/tasks/" + id).body().path("history");
      token = attempts.isEmpty()
          ? 0
          : Long.parseLong(attempts.get(attempts.size() - 1).path("token").asString());
    }
    return new Told.End(item.path("state").asString(), token);
  }

  @Override
  public void close() {
    rest.close();
    node.close();
    ledger.close();
    ledger.delete();
  }
}
