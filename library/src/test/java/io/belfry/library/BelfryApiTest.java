package io.belfry.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.core.event.Happening.LeaderChanged;
import io.belfry.core.event.Happening.TaskCompleted;
import io.belfry.core.event.Happening.TaskSubmitted;
import io.belfry.core.history.Bucket;
import io.belfry.core.history.RetainSettings;
import io.belfry.core.jobs.StaleException;
import io.belfry.core.jobs.Triggered;
import io.belfry.core.record.NodeRecord.Role;
import io.belfry.core.record.WorkerRecord;
import io.belfry.core.submit.NamespaceEndedException;
import io.belfry.model.InvalidException;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Job;
import io.belfry.model.job.Payload;
import io.belfry.model.job.Priority;
import io.belfry.model.task.StateName;
import io.belfry.model.task.TaskId;
import io.belfry.store.Commit;
import io.belfry.store.Key;
import io.belfry.store.Outcome;
import io.belfry.store.Space;
import io.belfry.store.Store;
import io.belfry.testkit.engine.EtcdServer;
import io.belfry.testkit.engine.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The API of {@link Belfry} that the server uses, on each engine. */
class BelfryApiTest {
  private static final AtomicInteger NAMESPACES = new AtomicInteger();
  private static final Instant AT = Instant.parse("2027-01-01T00:00:00Z");

  @TempDir
  static Path directory;

  private static EtcdServer etcd;
  private static RedisServer redis;

  private final RecordedEvents heard = new RecordedEvents();

  @BeforeAll
  static void start() {
    etcd = EtcdServer.start();
    redis = RedisServer.start();
  }

  @AfterAll
  static void stop() {
    etcd.close();
    redis.close();
  }

  private static Engine engine(StoreUri.Kind kind) {
    return Engine.at(
        switch (kind) {
          case EMBEDDED -> "embedded:" + directory;
          case ETCD -> etcd.uri();
          case REDIS -> redis.uri();
        });
  }

  private static Settings settings(StoreUri.Kind kind) {
    return Settings.defaults()
        .store(engine(kind))
        .namespace("n" + NAMESPACES.incrementAndGet())
        .node("n")
        .workerId("w")
        .handlerGrace(Duration.ofMillis(1));
  }

  /** Opens a node and waits until it is the leader and has loaded its state. */
  private Belfry open(Settings settings) {
    Belfry belfry = Belfry.open(settings, opened -> {
      heard.from(opened);
      opened.handle("noop", attempt -> {});
    });
    heard.await(TaskCompleted.class, belfry.submit(Submission.local("noop")));
    return belfry;
  }

  private static Job large(String description) {
    byte[] noise = new byte[Payload.DEFAULT_LIMIT];
    new SplittableRandom(1).nextBytes(noise);
    return Job.named("large")
        .description(description)
        .executor(new ExecutorSpec("script", Map.of("text", "x".repeat(100_000))))
        .payload(Payload.of("application/octet-stream", noise))
        .metadata(Map.of("a", "b"))
        .build();
  }

  @ParameterizedTest
  @EnumSource
  void definitions_are_kept_restored_and_deleted_only_as_they_were_read(StoreUri.Kind kind) {
    try (Belfry belfry = open(settings(kind))) {
      JobOperations jobs = belfry.jobs();
      for (int i = 1; i <= RetainSettings.VERSIONS + 2; i++) {
        jobs.save(large("save " + i));
      }
      List<Job> versions = jobs.versions("large");
      assertThat(versions).hasSize(RetainSettings.VERSIONS);
      assertThat(versions.getFirst()).isEqualTo(jobs.get("large").orElseThrow());
      assertThat(versions.getLast().description()).isEqualTo("save 3");
      assertThatThrownBy(() -> jobs.restore("large", 2)).isInstanceOf(InvalidException.class);
      assertThatThrownBy(() -> jobs.delete("large", 21)).isInstanceOf(StaleException.class);
      assertThat(jobs.delete("large", 22)).isTrue();
      assertThat(jobs.versions("large")).isEqualTo(versions);
      assertThat(jobs.restore("large", 5).generation()).isEqualTo(23);
      assertThat(jobs.get("large").orElseThrow().description()).isEqualTo("save 5");
      assertThat(jobs.versions("nothing")).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_namespace_ends_only_if_it_is_empty_and_takes_in_nothing_new_from_then_on(
      StoreUri.Kind kind) {
    try (Belfry belfry = open(settings(kind))) {
      Job unused = belfry.jobs().save(Job.named("nightly").local("noop").build());
      assertThat(belfry.endIfEmpty()).isEqualTo(Remaining.JOBS);
      TaskId task = belfry.submit(Submission.local("noop").in(Duration.ofHours(1)));
      assertThat(belfry.jobs().delete("nightly")).isTrue();
      assertThat(belfry.endIfEmpty()).isEqualTo(Remaining.TASKS);
      assertThat(belfry.cancel(task, "not needed")).isTrue();
      Awaitility.await()
          .atMost(RecordedEvents.LONG)
          .until(() -> belfry.endIfEmpty() == Remaining.NOTHING);
      assertThatThrownBy(() -> belfry.submit(Submission.local("noop")))
          .isInstanceOf(NamespaceEndedException.class);
      assertThatThrownBy(
              () -> belfry.jobs().save(Job.named("nightly").local("noop").build()))
          .isInstanceOf(NamespaceEndedException.class);
      assertThatThrownBy(() -> belfry.retry(task)).isInstanceOf(NamespaceEndedException.class);
      assertThat(belfry.endIfEmpty()).as("again").isEqualTo(Remaining.NOTHING);
    }
  }

  private static WorkerRecord shown(Belfry belfry, Predicate<WorkerRecord> as) {
    return Awaitility.await()
        .atMost(RecordedEvents.LONG)
        .until(() -> belfry.workers().stream().filter(as).findFirst(), Optional::isPresent)
        .orElseThrow();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "EMBEDDED")
  void a_worker_elsewhere_goes_by_what_it_is_ordered(StoreUri.Kind kind) {
    Settings settings = settings(kind);
    try (Belfry worker = open(settings);
        Belfry desk = Belfry.open(settings.node("desk").roles(Set.of()))) {
      String id = worker.workerId().orElseThrow();
      assertThat(desk.workerOperations().drain("w")).containsExactly(id);
      assertThat(shown(desk, each -> !each.accepting()).isDraining()).isTrue();
      TaskId waits = desk.submit(Submission.local("noop"));
      heard.await(TaskSubmitted.class, waits);
      assertThat(desk.workerOperations().capacity(id, 3)).containsExactly(id);
      assertThat(shown(desk, each -> each.capacity() == 3).accepting()).isFalse();
      assertThat(desk.task(waits).orElseThrow().stateName()).isEqualTo(StateName.PENDING);
      desk.workerOperations().resume("w");
      heard.await(TaskCompleted.class, waits);
      assertThatThrownBy(() -> desk.workerOperations().drain("v"))
          .isInstanceOf(InvalidException.class)
          .hasMessageContaining("worker");
      assertThatThrownBy(() -> desk.workerOperations().capacity("w", -1))
          .isInstanceOf(InvalidException.class);
    }
    heard.await(LeaderChanged.class, unused -> true, 1);
    try (Belfry again = open(settings)) {
      assertThat(shown(again, each -> true).capacity()).isEqualTo(10);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_trigger_says_what_when_and_where_and_whether_it_was_asked_before(StoreUri.Kind kind) {
    try (Belfry belfry = open(settings(kind))) {
      JobOperations jobs = belfry.jobs();
      jobs.save(Job.named("manual").local("noop").build());
      Triggered first = jobs.trigger("manual", TriggerRequest.at(AT).payload(List.of(1)));
      assertThat(first).isEqualTo(new Triggered(TaskId.parse("manual@" + AT), false));
      heard.await(TaskCompleted.class, first.task());
      assertThat(jobs.trigger("manual", TriggerRequest.at(AT)).repeated()).isTrue();
      assertThat(jobs.triggerOnce("manual", AT)).isEqualTo(first.task());

      TaskId here = jobs.trigger("manual", TriggerRequest.now().worker("w")).task();
      heard.await(TaskCompleted.class, here);
      TaskId nowhere =
          jobs.trigger("manual", TriggerRequest.now().worker("other")).task();
      heard.await(TaskSubmitted.class, nowhere);
      heard.await(TaskCompleted.class, jobs.trigger("manual"));
      assertThat(belfry.task(nowhere).orElseThrow().stateName()).isEqualTo(StateName.PENDING);
      Map<Priority, Long> pending =
          belfry.nodeMetrics().live().orElseThrow().counts().get(StateName.PENDING);
      assertThat(pending).containsEntry(Priority.NORMAL, 1L).containsEntry(Priority.URGENT, 0L);
      assertThat(belfry.nodeMetrics().live().orElseThrow().waitingByQueue())
          .containsEntry("default", 1L);
    }
  }

  @ParameterizedTest
  @EnumSource
  void figures_are_there_without_asking_anybody(StoreUri.Kind kind) {
    try (Belfry belfry = open(settings(kind))) {
      NodeMetrics readings = belfry.nodeMetrics();
      assertThat(readings.electionsWon()).isEqualTo(1);
      assertThat(readings.tasks().submitted()).isGreaterThanOrEqualTo(1);
      assertThat(readings.tasks().completed()).isEqualTo(1);
      assertThat(readings.tasks().assigned()).isEqualTo(1);
      assertThat(readings.lateness().count()).isEqualTo(1);
      assertThat(readings.runTime().count()).isEqualTo(1);
      assertThat(readings.skipped())
          .hasSizeGreaterThan(8)
          .allSatisfy((reason, count) -> assertThat(count).isZero());
      Distribution commits = readings.commits().time();
      assertThat(commits.count()).isPositive();
      assertThat(commits.sum()).isPositive();
      assertThat(commits.counts()).hasSize(commits.bounds().size() + 1);
      assertThat(readings.commits().batchSize().sum())
          .isGreaterThanOrEqualTo((double) readings.commits().batchSize().count());
      assertThat(readings.reportsRejected()).isZero();
      assertThat(readings.live()).isPresent();
      assertThat(belfry.stats(Optional.empty(), AT, AT.plusSeconds(3600), Bucket.HOUR))
          .hasSize(2);
    }
  }

  @Test
  void listings_say_when_jobs_fire_next_and_fired_last() {
    try (Belfry belfry = open(settings(StoreUri.Kind.EMBEDDED))) {
      JobOperations jobs = belfry.jobs();
      jobs.save(Job.named("asked").local("noop").build());
      jobs.save(Job.named("off")
          .local("noop")
          .every(Duration.ofHours(1))
          .enabled(false)
          .build());
      jobs.save(Job.named("often").local("noop").every(Duration.ofMillis(200)).build());
      heard.await(TaskCompleted.class, done -> done.task().id().isFire(), 1);
      List<ScannedJob> page = jobs.scan("", 10);
      assertThat(page)
          .extracting(each -> each.job().id().value())
          .containsExactly("asked", "off", "often");
      assertThat(page.get(0).times()).isEqualTo(new JobTimes(Optional.empty(), Optional.empty()));
      assertThat(page.get(1).times().next()).isEmpty();
      assertThat(page.get(2).times().next()).isPresent();
      assertThat(page.get(2).times().last()).isPresent();
      assertThat(jobs.scan("off", 10)).hasSize(1);
      assertThat(jobs.status(List.of("often", "nothing", "often"))).containsOnlyKeys("often");
      assertThat(jobs.status(List.of())).isEmpty();
      assertThatThrownBy(() -> jobs.status(Collections.nCopies(1001, "often")))
          .isInstanceOf(InvalidException.class)
          .hasMessageContaining("1000");
      assertThatThrownBy(() -> jobs.status(List.of("Odd id"))).isInstanceOf(InvalidException.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_store_of_ones_own_lies_beside_and_its_name_is_refused_to_others(StoreUri.Kind kind) {
    Key key = Key.of(Space.plain("own"), "token");
    Commit commit = Commit.when().absent(key).put(key, new byte[] {1}).build();
    for (int i = 0; i < 2; i++) {
      try (Store store = Stores.open(engine(kind), "belfry", "belfry.server")) {
        Outcome outcome = store.commit(commit).toCompletableFuture().join();
        assertThat(outcome).isInstanceOf(i == 0 ? Outcome.Done.class : Outcome.Refused.class);
      }
    }
    assertThatThrownBy(() -> Stores.open(engine(kind), "belfry", "Odd name"))
        .isInstanceOf(InvalidException.class);
    assertThatThrownBy(() -> settings(kind).namespace("belfry.server").checked())
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("must not begin with belfry.");
  }

  @Test
  void labels_that_have_a_meaning_of_their_own_are_refused() {
    assertThatThrownBy(
            () -> Settings.defaults().workerLabels(Map.of("belfry.zone", "x")).checked())
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("must not begin with belfry.");
    assertThat(Settings.defaults().workerId("w").worker().labels())
        .isEqualTo(Map.of("belfry.worker", "w"));
    assertThat(Settings.defaults().node("n").roles(Set.of(Role.WORKER)).worker().labels())
        .isEqualTo(Map.of("belfry.worker", "n"));
  }
}
