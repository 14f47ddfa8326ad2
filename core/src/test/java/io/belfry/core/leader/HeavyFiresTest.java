package io.belfry.core.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.jobs.Jobs;
import io.belfry.core.keys.Keys;
import io.belfry.core.node.SmallNode;
import io.belfry.core.record.Cursor;
import io.belfry.core.record.Records;
import io.belfry.model.job.Job;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.job.Payload;
import io.belfry.model.job.Trigger;
import io.belfry.model.job.Window;
import io.belfry.model.missed.MissedPolicy;
import io.belfry.model.task.TaskId;
import io.belfry.model.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A leader that finds many fires of a large task due at once. */
class HeavyFiresTest {
  private static final int MISSED = 20;

  @Test
  void are_made_in_as_many_commits_as_they_need() throws Exception {
    byte[] bytes = new byte[Payload.DEFAULT_LIMIT];
    new Random(1).nextBytes(bytes);
    Set<TaskId> ran = ConcurrentHashMap.newKeySet();
    var enough = new CountDownLatch(MISSED);
    try (var node = new SmallNode()) {
      Instant since = Time.system().wall().truncatedTo(ChronoUnit.SECONDS).minusSeconds(MISSED);
      var window =
          new Window(Optional.of(since), Optional.empty(), Optional.empty(), Duration.ZERO);
      Job job = SmallNode.await(new Jobs(node.scheduling, node.store)
          .put(Job.named("large")
              .trigger(new Trigger.Every(Duration.ofSeconds(1), Trigger.Every.From.START, window))
              .local("noop")
              .payload(Payload.of("application/octet-stream", bytes))
              .overlap(OverlapPolicy.ALLOW)
              .missed(new MissedPolicy(MissedPolicy.Policy.ALL, Duration.ofHours(1), 100))
              .build()));
      node.put(Keys.cursor(job.id()), Records.encode(due(job, since)));
      node.schedule();
      node.work(5, task -> {
        if (task.scheduled().isBefore(since.plusSeconds(MISSED)) && ran.add(task.id())) {
          enough.countDown();
        }
      });
      assertThat(enough.await(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static Cursor due(Job job, Instant since) {
    return new Cursor(
        job.generation(), true, Optional.of(since), Optional.empty(), Optional.empty());
  }
}
