package io.belfry.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.core.event.Happening;
import io.belfry.core.event.Happening.LeaderChanged;
import io.belfry.core.event.Happening.TaskCancelled;
import io.belfry.core.event.Happening.TaskCompleted;
import io.belfry.core.event.Happening.TaskFailed;
import io.belfry.core.event.Happening.TaskRetrying;
import io.belfry.core.event.Happening.TaskScheduled;
import io.belfry.core.event.Happening.TaskStarted;
import io.belfry.core.event.Happening.TaskSubmitted;
import io.belfry.core.event.Happening.WorkerJoined;
import io.belfry.core.event.Happening.WorkerLeft;
import io.belfry.core.event.Happening.WorkerOffline;
import io.belfry.core.event.Happening.WorkerOnline;
import io.belfry.core.record.NodeRecord.Role;
import io.belfry.model.retry.RetryPolicy;
import io.belfry.model.task.TaskId;
import io.belfry.store.StoreException;
import io.belfry.testkit.engine.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** One node leads and works; a second node without roles receives all events and sees all state. */
class TwoNodesTest {
  private static RedisServer server;

  @BeforeAll
  static void start() {
    server = RedisServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Settings settings(String namespace) {
    return Settings.defaults().store(server.uri()).namespace(namespace);
  }

  private static Belfry leader(Settings settings, RecordedEvents heard) {
    Belfry belfry = Belfry.open(settings.node("a"), heard::from);
    belfry.handle("good", attempt -> {});
    belfry.handle("bad", attempt -> {
      throw new IllegalStateException("on purpose");
    });
    heard.await(LeaderChanged.class, won -> true, 1);
    return belfry;
  }

  private static void untilTheLeaderTells(Belfry leader, RecordedEvents elsewhere) {
    Awaitility.await().atMost(RecordedEvents.LONG).until(() -> {
      TaskId probe = leader.submit(Submission.local("good"));
      return !elsewhere
              .find(TaskSubmitted.class, e -> e.task().id().equals(probe))
              .isEmpty()
          || !elsewhere.find(TaskSubmitted.class, e -> true).isEmpty();
    });
  }

  @Test
  void every_kind_of_event_is_heard_on_a_node_that_does_not_lead_and_in_order() {
    Settings settings = settings("events");
    var here = new RecordedEvents();
    var there = new RecordedEvents();
    try (Belfry a = leader(settings, here);
        Belfry b = Belfry.open(settings.node("b").roles(Set.of()), there::from)) {
      untilTheLeaderTells(a, there);
      TaskId good = b.submit(Submission.local("good"));
      TaskId bad = b.submit(Submission.local("bad")
          .retry(RetryPolicy.DEFAULT.withMax(1).withDelay(Duration.ofMillis(50))));
      TaskId late = b.submit(Submission.local("good").in(Duration.ofHours(1)));
      assertThat(b.cancel(late, "not needed")).isTrue();
      there.await(TaskCompleted.class, good);
      there.await(TaskFailed.class, bad);
      there.await(TaskCancelled.class, late);
      assertThat(kinds(there, good))
          .containsExactly(
              TaskSubmitted.class, TaskScheduled.class, TaskStarted.class, TaskCompleted.class);
      assertThat(kinds(there, bad))
          .containsExactly(
              TaskSubmitted.class,
              TaskScheduled.class,
              TaskStarted.class,
              TaskRetrying.class,
              TaskScheduled.class,
              TaskStarted.class,
              TaskFailed.class);
      assertThat(kinds(there, late)).containsExactly(TaskSubmitted.class, TaskCancelled.class);
      for (TaskId task : List.of(good, bad, late)) {
        assertThat(kinds(here, task)).isEqualTo(kinds(there, task));
      }
      assertThat(b.isLeader()).isFalse();
      assertThat(a.nodeMetrics().tasks().completed()).isPositive();
      assertThat(b.nodeMetrics().tasks())
          .as("counts of the node that only listens: those of all nodes must add up")
          .isEqualTo(new NodeMetrics.Tasks(0, 0, 0, 0, 0, 0, 0));
    }
  }

  private static List<Class<?>> kinds(RecordedEvents heard, TaskId task) {
    return heard.find(Happening.OfTask.class, e -> e.task().id().equals(task)).stream()
        .<Class<?>>map(Object::getClass)
        .toList();
  }

  @Test
  void workers_come_and_go_and_leaders_change_for_everybody_who_listens() {
    Settings settings = settings("workers");
    var here = new RecordedEvents();
    var there = new RecordedEvents();
    try (Belfry a = leader(settings, here);
        Belfry b = Belfry.open(settings.node("b").roles(Set.of(Role.SCHEDULER)), there::from)) {
      untilTheLeaderTells(a, there);
      String worker;
      try (Belfry c = Belfry.open(settings.node("c").roles(Set.of(Role.WORKER)))) {
        worker = c.workerId().orElseThrow();
        there.await(WorkerJoined.class, e -> e.worker().equals(worker), 1);
        there.await(WorkerOnline.class, e -> e.worker().equals(worker), 1);
      }
      there.await(WorkerOffline.class, e -> e.worker().equals(worker), 1);
      there.await(WorkerLeft.class, e -> e.worker().equals(worker), 1);
      a.close();
      there.await(LeaderChanged.class, won -> won.term().leader().equals(b.nodeId()), 1);
    }
  }

  @Test
  void every_node_says_who_is_there_and_who_leads() {
    Settings settings = settings("status");
    try (Belfry a = leader(settings, new RecordedEvents());
        Belfry b = Belfry.open(settings.node("b").roles(Set.of(Role.WORKER)).address("there"))) {
      Awaitility.await()
          .atMost(RecordedEvents.LONG)
          .until(() -> b.cluster().nodes().stream().anyMatch(node -> node.leads())
              && b.cluster().nodes().size() == 2);
      ClusterStatus status = b.cluster();
      assertThat(status.leader()).hasValue(a.nodeId());
      assertThat(status.since()).isPresent();
      assertThat(status.term()).isEqualTo(1);
      assertThat(status.elections()).isEqualTo(1);
      assertThat(status.engine().engine()).isEqualTo("redis");
      assertThat(status.electionEngine()).isEmpty();
      var other = status.nodes().stream()
          .filter(node -> node.id().equals(b.nodeId()))
          .findFirst()
          .orElseThrow();
      assertThat(other.roles()).containsExactly(Role.WORKER);
      assertThat(other.address()).isEqualTo("there");
      assertThat(other.version()).isNotBlank().doesNotContain("$");
      assertThat(other.heartbeat()).isAfterOrEqualTo(other.since());
      assertThat(other.leads()).isFalse();
      a.close();
      Awaitility.await()
          .atMost(RecordedEvents.LONG)
          .until(() -> b.cluster().leader().isEmpty());
      assertThat(b.cluster().nodes()).hasSize(1);
    }
  }

  @Test
  void while_the_engine_is_away_asking_fails_in_time() {
    try (RedisServer away = RedisServer.start();
        Belfry belfry = Belfry.open(Settings.defaults()
            .store(away.uri())
            .roles(Set.of())
            .callTimeout(Duration.ofSeconds(2)))) {
      assertThat(belfry.cluster().leader()).isEmpty();
      away.kill();
      assertThatThrownBy(belfry::cluster).isInstanceOf(StoreException.class);
    }
  }
}
