package io.belfry.tests.witness;

import static org.awaitility.Awaitility.await;

import io.belfry.model.time.Time;
import io.belfry.tests.cluster.Rest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.awaitility.core.ConditionTimeoutException;

/**
 * The desk of real servers: jobs are saved and switched off over REST, at whichever server answers. What Belfry tells in the end is read from
 * the store itself, where no server can embellish it.
 *
 * <p>Threading: confined to the driver, but for {@link #ask}, which is safe.
 */
final class ServerDesk implements Desk {
  static final String NS = "/api/v1/namespaces/" + Engine.NAMESPACE;

  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final List<String> UNFINISHED =
      List.of("pending", "assigned", "running", "retrying");

  private final Time time = Time.system();
  private final Fleet fleet;
  private final Client client;
  private final Rest rest = new Rest(ServerMaker.TOKEN);

  ServerDesk(Engine engine, Fleet fleet) {
    this.fleet = fleet;
    this.client = new Client(engine);
  }

  /** Asks one server after the other for as long as it takes, while some are dead and the engine may be away. */
  Rest.Reply insist(String method, String path, String body) {
    var answered = new ArrayList<Rest.Reply>();
    try {
      await(method + " " + path)
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(100))
          .until(() -> {
            Optional<Rest.Reply> reply = ask(method, path, body);
            reply.ifPresent(answered::add);
            return reply.isPresent()
                && reply.get().status() < 500
                && reply.get().status() != 429;
          });
    } catch (ConditionTimeoutException e) {
      throw new IllegalStateException("no server did " + method + " " + path + ": " + answered, e);
    }
    return answered.getLast();
  }

  /** Asks the first server that runs and answers anything; empty if none does. */
  Optional<Rest.Reply> ask(String method, String path, String body, String... headers) {
    for (String name : fleet.all()) {
      Optional<String> url = url(name);
      if (url.isPresent()) {
        Rest.Reply reply = rest.ask(method, url.get() + path, body, headers);
        if (reply.status() != 0) {
          return Optional.of(reply);
        }
      }
    }
    return Optional.empty();
  }

  Rest rest() {
    return rest;
  }

  /** Where it listens, if it runs. */
  Optional<String> url(String name) {
    var file = fleet.directory(name).resolve(ServerMaker.ADDRESS);
    try {
      return fleet.isRunning(name) && Files.exists(file)
          ? Optional.of(Files.readString(file).strip()).filter(text -> !text.isEmpty())
          : Optional.empty();
    } catch (java.nio.file.NoSuchFileException gone) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("could not read " + file, e);
    }
  }

  @Override
  public List<Promise> save(Function<Instant, List<JobPlan>> wanted) {
    List<JobPlan> plans = wanted.apply(time.wall());
    requireFine(insist("PUT", NS + "/queues/" + Policy.PULL_QUEUE, "{\"mode\": \"pull\"}"));
    plans.forEach(plan -> {
      if (plan.rhythm() instanceof Rhythm.OnDays days) {
        requireFine(
            insist("PUT", NS + "/calendars/" + days.calendar(), JobPlans.calendarJson(days)));
      }
    });
    var promises = new ArrayList<Promise>();
    plans.forEach(plan -> {
      Instant asked = time.wall();
      Rest.Reply reply = insist("PUT", NS + "/jobs/" + plan.job(), JobPlans.jobJson(plan));
      requireFine(reply);
      Instant from = Instant.parse(reply.body().path("updated").asString());
      promises.add(Promise.open(plan, asked, from));
    });
    return promises;
  }

  private static void requireFine(Rest.Reply reply) {
    if (!reply.isFine()) {
      throw new IllegalStateException("refused: " + reply);
    }
  }

  @Override
  public List<Promise> retire(List<Promise> promises) {
    Instant asked = time.wall();
    promises.stream()
        .filter(promise -> !promise.isOver(asked))
        .forEach(
            promise -> requireFine(insist("POST", NS + "/jobs/" + promise.job() + "/disable", "")));
    Instant over = time.wall();
    return promises.stream().map(promise -> promise.ending(asked, over)).toList();
  }

  @Override
  public Optional<String> leader() {
    return ask("GET", NS + "/cluster", "")
        .map(reply -> reply.body().path("leader").asString(""))
        .filter(id -> id.contains("~"));
  }

  @Override
  public boolean isSettled() {
    return UNFINISHED.stream().allMatch(state -> {
      Rest.Reply page = insist("GET", NS + "/tasks?limit=1&state=" + state, "");
      requireFine(page);
      return page.body().path("items").isEmpty();
    });
  }

  @Override
  public Told told() {
    return again(client::told);
  }

  /** The engine may just have failed over. */
  private static <T> T again(Supplier<T> question) {
    var answers = new ArrayList<T>();
    await("the store answers")
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(IllegalStateException.class)
        .until(() -> answers.add(question.get()));
    return answers.getLast();
  }

  @Override
  public int terms() {
    return client.terms();
  }

  @Override
  public void close() {
    rest.close();
    client.close();
  }
}
