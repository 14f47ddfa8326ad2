package io.belfry.server.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belfry.model.Check;
import io.belfry.model.WireName;
import io.belfry.model.time.Time;
import io.belfry.server.access.Role;
import io.belfry.server.rest.OddRequests.Request;
import io.belfry.server.verb.RunningServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Whatever is sent, the server answers as it says it does: never with a fault of its own, never with something else than a problem for what
 * it refuses, within a second, and what it refused has changed nothing; whoever asks, with each role and without any. {@code
 * -Dbelfry.seed=N} sends the same requests again, {@code -Dbelfry.requests=N} so many in all.
 */
class FuzzTest {
  /** A job that is saved by PUT to the address of previews. */
  private static final String SHARED = "preview";

  /** Those who may change most find most; each role and a stranger have one besides. */
  private static final int ADMINS = 4;

  private static final int REQUESTS = 10_400;
  private static final int GARBAGE_EVERY = 40;
  private static final Duration ANSWER_MAX = Duration.ofSeconds(1);
  private static final Time TIME = Time.system();
  private static final String NS = "/api/v1/namespaces/default";
  private static final String JOB = "{\"executor\": {\"type\": \"local\", \"handler\": \"h\"}}";
  private static final Pattern INNARDS = Pattern.compile(
      "Exception|\\bat [a-z]+\\.[a-z]|java\\.|io\\.belfry\\.|org\\.eclipse|javalin|jackson|kotlin");

  private final Queue<String> faults = new ConcurrentLinkedQueue<>();
  private final AtomicIntegerArray statuses = new AtomicIntegerArray(600);
  private final AtomicLong slowest = new AtomicLong();

  private static long seed() {
    String chosen = System.getProperty("belfry.seed", "");
    return chosen.isBlank() ? 4 : Long.parseLong(chosen);
  }

  @Test
  void nothing_that_is_sent_breaks_the_server_or_changes_what_it_was_refused(@TempDir Path own)
      throws Exception {
    long seed = seed();
    try (var server = new RunningServer(
        own.resolve("data"),
        "limit.rate=1000000",
        "limit.loginRate=1000000",
        "limit.body=65536",
        "task.retry.max=0")) {
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> server.ask("GET", "/readyz", "", "").status() == 200);
      // so that the namespace is never empty, and cannot be closed
      assertThat(server.put(NS + "/jobs/stays", JOB).status()).isEqualTo(201);
      Document document = new Document(server.get("/openapi.json").body());
      int requests = Integer.getInteger("belfry.requests", REQUESTS);
      var deeds = walk(server, document, seed, requests);
      String again = "again with ./belfry test --only FuzzTest --seed " + seed + " --requests "
          + requests + "; statuses " + counts() + "; slowest answer "
          + Duration.ofNanos(slowest.get()).toMillis() + " ms";
      System.out.println("FuzzTest: " + again);
      assertThat(faults.stream().limit(12))
          .as(faults.size() + " faults, " + again)
          .isEmpty();
      assertThat(counts().values().stream().mapToInt(each -> each).sum())
          .isGreaterThanOrEqualTo(requests);
      worksStill(server);
      deeds.jobs().put("stays", 1L);
      Map<String, Long> jobs = jobs(server, deeds);
      // An address of the document that all walkers may change by an odd method: nobody knows who
      // was the last.
      jobs.remove(SHARED);
      deeds.jobs().remove(SHARED);
      assertThat(jobs).as(again).isEqualTo(deeds.jobs());
      assertThat(tasks(server)).as(again).isEqualTo(deeds.tasks());
    }
  }

  /** Readers of single fields meet what nobody thought of: a list where a number is meant. */
  @Test
  void an_object_or_a_list_in_place_of_any_field_is_no_fault(@TempDir Path own) {
    try (var server = new RunningServer(own.resolve("data"), "limit.loginRate=1000000")) {
      Document document = new Document(server.get("/openapi.json").body());
      var misfits = new Misfits(document.schema());
      int sent = 0;
      for (Document.Operation operation : document.operations()) {
        String path = operation
            .path()
            .replace("{ns}", "default")
            .replaceAll("\\{(generation)}", "1")
            .replaceAll("\\{\\w+}", "nobody");
        for (JsonNode body : operation.body().map(misfits::of).orElse(List.of())) {
          RunningServer.Reply reply =
              server.ask(operation.method(), path, body.toString(), server.admin());
          sent++;
          if (reply.status() >= 500) {
            faults.add(operation + " " + body + " gave " + reply.status() + " " + reply.body());
          }
        }
      }
      assertThat(faults.stream().limit(12)).as(faults.size() + " of " + sent).isEmpty();
      assertThat(sent).isGreaterThan(500);
    }
  }

  /** The tokens of those who ask; empty: none. */
  private static List<String> tokens(RunningServer server) {
    var tokens = new ArrayList<>(Collections.nCopies(ADMINS, server.admin()));
    for (Role role : Role.values()) {
      String body = "{\"name\": \"fuzz\", \"role\": \"" + WireName.of(role) + "\"}";
      tokens.add(server.post(NS + "/tokens", body).body().path("token").asString());
    }
    tokens.add("");
    return tokens;
  }

  private Deeds walk(RunningServer server, Document document, long seed, int requests)
      throws Exception {
    List<String> tokens = tokens(server);
    int each = Math.ceilDiv(requests, tokens.size());
    var all = new Deeds();
    var random = new SplittableRandom(seed);
    try (ExecutorService walkers = Executors.newVirtualThreadPerTaskExecutor()) {
      var ends = new ArrayList<java.util.concurrent.Future<Deeds>>();
      for (int i = 0; i < tokens.size(); i++) {
        List<String> ids = List.of("w" + i + "-a", "w" + i + "-b", "w" + i + "-c");
        var own = random.split();
        var odd = new OddRequests(document, own, ids, tokens.get(i));
        var garbage = new Garbage(URI.create(server.address()).getPort(), own);
        ends.add(walkers.submit(() -> walk(server, document, odd, garbage, each)));
      }
      for (var end : ends) {
        all.add(end.get());
      }
    }
    return all;
  }

  private Deeds walk(
      RunningServer server, Document document, OddRequests requests, Garbage garbage, int count) {
    var deeds = new Deeds();
    try (var wire = new Wire(URI.create(server.address()).getPort())) {
      int before = 0;
      String last = "";
      for (int i = 0; i < count; i++) {
        if (i % GARBAGE_EVERY == 0) {
          check(garbage.send());
        }
        Request request = requests.next();
        Wire.Reply reply = send(wire, request, deeds);
        statuses.incrementAndGet(Math.clamp(reply.status(), 0, 599));
        List<String> wrong = wrong(document, request, reply);
        if (!wrong.isEmpty()) {
          faults.add(wrong + " for\n" + request + "\nanswered " + reply.status() + " "
              + Check.clip(reply.text(), 800));
        }
        deeds.note(request, reply);
        if (wire.hangUps() > before) {
          faults.add("the connection was closed without a word after\n" + last);
          before = wire.hangUps();
        }
        last = request.toString();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return deeds;
  }

  /** One that took longer than a second is sent again: a busy machine is no fault, a request that always takes so long is. */
  private Wire.Reply send(Wire wire, Request request, Deeds deeds) {
    long begun = TIME.nanos();
    Wire.Reply reply = wire.send(request.bytes(), request.isForHead());
    long took = TIME.nanos() - begun;
    slowest.accumulateAndGet(took, Math::max);
    if (took > ANSWER_MAX.toNanos()) {
      deeds.note(request, reply);
      begun = TIME.nanos();
      reply = wire.send(request.bytes(), request.isForHead());
      if (TIME.nanos() - begun > ANSWER_MAX.toNanos()) {
        faults.add("took longer than " + ANSWER_MAX + " twice:\n" + request);
      }
    }
    return reply;
  }

  private void check(Garbage.Outcome outcome) {
    outcome.statuses().forEach(statuses::incrementAndGet);
    if (outcome.statuses().stream().anyMatch(status -> status >= 500 && status != 505)) {
      faults.add("a fault of the server for\n" + outcome);
    }
    if (outcome.took().compareTo(ANSWER_MAX.multipliedBy(5)) > 0) {
      faults.add("took too long:\n" + outcome);
    }
  }

  private static List<String> wrong(Document document, Request request, Wire.Reply reply) {
    var wrong = new ArrayList<String>();
    if (reply.status() >= 500) {
      wrong.add("a fault of the server");
    }
    if (!reply.headers().getOrDefault("cache-control", "").equals("no-store")) {
      wrong.add("may be kept by others");
    }
    if (reply.status() >= 400 && !request.isForHead()) {
      wrong.addAll(problem(document, reply));
    }
    if (request.plain()
        && !request.operation().responses().containsKey(String.valueOf(reply.status()))) {
      wrong.add("the status is not declared for " + request.operation());
    } else if (request.plain() && reply.status() < 300 && reply.isJson()) {
      request
          .operation()
          .answer(reply.status())
          .ifPresent(schema -> wrong.addAll(
              document.schema().faults(schema, RunningServer.JSON.readTree(reply.body()))));
    }
    return wrong;
  }

  private static List<String> problem(Document document, Wire.Reply reply) {
    try {
      JsonNode body = RunningServer.JSON.readTree(reply.body());
      var wrong = new ArrayList<>(
          document.schema().faults(document.root().at("/components/schemas/Problem"), body));
      String message = body.path("message").asString("");
      if (INNARDS.matcher(message).find()) {
        wrong.add("tells of its innards");
      }
      if (!message.endsWith(".") && !message.endsWith("?")) {
        wrong.add("is no sentence: " + message);
      }
      return wrong;
    } catch (JacksonException e) {
      return List.of("the refusal is not JSON");
    }
  }

  private Map<Integer, Integer> counts() {
    var counts = new TreeMap<Integer, Integer>();
    for (int status = 0; status < statuses.length(); status++) {
      if (statuses.get(status) > 0) {
        counts.put(status, statuses.get(status));
      }
    }
    return counts;
  }

  private static void worksStill(RunningServer server) {
    assertThat(server.post(NS + "/cluster/resume", "").status()).isEqualTo(204);
    assertThat(server.put(NS + "/jobs/still", JOB).status()).isEqualTo(201);
    assertThat(server.get(NS + "/jobs/still").status()).isEqualTo(200);
    assertThat(server.delete(NS + "/jobs/still").status()).isEqualTo(204);
    assertThat(server.ask("GET", "/readyz", "", "").status()).isEqualTo(200);
  }

  /** What is there of the walkers' own jobs, with its generation where that is known. */
  private static Map<String, Long> jobs(RunningServer server, Deeds deeds) {
    var found = new TreeMap<String, Long>();
    for (JsonNode job : pages(server, NS + "/jobs?limit=500")) {
      String id = job.path("id").asString();
      long known = deeds.jobs().getOrDefault(id, 0L);
      found.put(id, known == Deeds.SOME ? known : job.path("generation").asLong());
    }
    return found;
  }

  private static Set<String> tasks(RunningServer server) {
    var found = new TreeSet<String>();
    pages(server, NS + "/tasks?limit=500")
        .forEach(task -> found.add(task.path("id").asString()));
    return found;
  }

  private static List<JsonNode> pages(RunningServer server, String path) {
    var all = new ArrayList<JsonNode>();
    String cursor = "";
    do {
      JsonNode page = server.get(path + cursor).body();
      all.addAll(page.path("items").valueStream().toList());
      cursor = page.has("next") ? "&cursor=" + page.get("next").asString() : "";
    } while (!cursor.isEmpty());
    return all;
  }
}
