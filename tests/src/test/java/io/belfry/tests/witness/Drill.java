package io.belfry.tests.witness;

import static org.awaitility.Awaitility.await;

import io.belfry.testkit.engine.ServerProcess;
import io.belfry.tests.cluster.Rest;
import io.belfry.tests.cluster.ServerNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One real server on an embedded store, to which tasks are submitted while it is made hard for it.
 *
 * <p>Threading: safe, by one lock around what is counted.
 */
final class Drill implements AutoCloseable {
  private static final Duration CLOCK_ERROR = Duration.ofMillis(100);
  private static final String NS = Rest.NS;

  private final LedgerServer ledger = new LedgerServer();
  private final ServerNode node;
  private final Rest rest = new Rest(ServerMaker.TOKEN);
  private final Set<String> acknowledged = new HashSet<>();
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

  int acknowledgedCount() {
    synchronized (this) {
      return acknowledged.size();
    }
  }

  synchronized boolean hasRefused() {
    return !refusals.isEmpty();
  }

  /** Submits one task; whether it was acknowledged. What is refused must say when to come again. */
  boolean submit(String payload) {
    Rest.Reply reply = rest.post(
        node.url() + NS + "/tasks",
        "{\"executor\": {\"type\": \"local\", \"handler\": \"ledger\"}, \"payload\": \"" + payload
            + "\"}");
    synchronized (this) {
      if (reply.isFine()) {
        acknowledged.add(reply.body().path("id").asString());
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
    node.process().kill();
    node.startAgain();
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
    Map<String, List<Told.End>> none = Map.of();
    synchronized (this) {
      var told = new Told(none, List.of(), Map.of(), Map.of());
      Verdict verdict =
          Checker.check(ledger, List.of(), told, CLOCK_ERROR, Set.copyOf(acknowledged));
      acknowledged.stream().sorted().limit(50).forEach(this::mustHaveSucceeded);
      return new Outcome(
          verdict, acknowledged.size(), Map.copyOf(refusals), List.copyOf(complaints));
    }
  }

  private void mustHaveSucceeded(String id) {
    Rest.Reply task = get(NS + "/tasks/" + id);
    if (!task.body().path("state").asString("").equals("succeeded")) {
      complain("the server tells of an acknowledged task: " + task);
    }
  }

  @Override
  public void close() {
    rest.close();
    node.close();
    ledger.close();
    ledger.delete();
  }
}
