package io.belfry.core.node;

import static io.belfry.core.node.SmallNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.jobs.Jobs;
import io.belfry.core.jobs.Requests;
import io.belfry.core.jobs.TriggerOptions;
import io.belfry.core.keys.Keys;
import io.belfry.model.job.Job;
import io.belfry.model.task.TaskId;
import io.belfry.store.Scan;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** A trigger whose job is deleted before a leader handles it leaves nothing behind. */
class WithdrawnTriggerTest {
  private static final Instant AT = Instant.parse("2999-01-01T00:00:00Z");

  @Test
  void a_withdrawn_trigger_takes_its_record_and_its_expiry_with_it() {
    try (var node = new SmallNode()) {
      var jobs = new Jobs(node.scheduling, node.store);
      Job job =
          await(jobs.put(Job.named("j").every(Duration.ofDays(1)).local("noop").build()));
      var requests = new Requests(node.scheduling, node.store, Duration.ofDays(7));
      TaskId task =
          await(requests.trigger(job.id(), TriggerOptions.NONE.at(AT), "me")).task();
      assertThat(await(node.store.scan(Scan.all(Keys.DEDUP_EXPIRY))).entries()).hasSize(1);
      assertThat(await(jobs.delete(job.id()))).isNotNull();
      node.schedule();
      Awaitility.await()
          .untilAsserted(() ->
              assertThat(await(node.store.get(List.of(Keys.trigger(task, 1))))).isEmpty());
      assertThat(await(node.store.get(List.of(Keys.dedup(task.toString()))))).isEmpty();
      assertThat(await(node.store.scan(Scan.all(Keys.DEDUP_EXPIRY))).entries()).isEmpty();
    }
  }
}
