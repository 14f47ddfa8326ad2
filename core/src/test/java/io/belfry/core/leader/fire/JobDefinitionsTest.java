package io.belfry.core.leader.fire;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.keys.Keys;
import io.belfry.core.leader.term.TestTerm;
import io.belfry.core.loop.StepLoop;
import io.belfry.core.record.Records;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Payload;
import io.belfry.store.Commit;
import io.belfry.store.MemoryStore;
import io.belfry.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class JobDefinitionsTest {
  private final ManualTime time = new ManualTime(Instant.parse("2027-01-01T00:00:00Z"));
  private final MemoryStore store = new MemoryStore(time, Runnable::run);
  private final StepLoop loop = new StepLoop(time, new SplittableRandom(1));
  private final JobDefinitions definitions =
      new JobDefinitions(TestTerm.on(loop, store), new CalendarCache(() -> {}, () -> {}));

  @AfterEach
  void close() {
    store.close();
  }

  private JobDefinitions.Known read(Job job) {
    var unused =
        store.commit(Commit.when().put(Keys.job(job.id()), Records.encode(job)).build());
    var all = new ArrayList<JobDefinitions.Known>();
    definitions.read(List.of(job.id()), found -> all.addAll(found.values()), () -> {});
    loop.run(Duration.ofMillis(1));
    return all.getFirst();
  }

  private static Job job(int number, int payload) {
    byte[] bytes = new byte[payload];
    new Random(number).nextBytes(bytes);
    return Job.named("j" + number).local("noop", Payload.of("a/b", bytes)).build();
  }

  @Test
  void as_many_are_kept_as_weigh_little() {
    for (int i = 0; i < 400; i++) {
      read(job(i, 200 << 10));
      assertThat(definitions.weight()).isLessThanOrEqualTo(64 << 20);
    }
    assertThat(definitions.find(new JobId("j399"), 0)).isPresent();
    assertThat(definitions.find(new JobId("j0"), 0)).isEmpty();
    assertThat(definitions.weight()).isGreaterThan(60 << 20);
  }

  @Test
  void a_definition_that_is_read_again_weighs_once() {
    read(job(1, 1000));
    long once = definitions.weight();
    read(job(1, 1000));
    assertThat(definitions.weight()).isEqualTo(once);
  }

  @Test
  void the_more_a_task_weighs_the_fewer_are_made_at_once() {
    assertThat(read(job(1, 10)).firesMax()).isEqualTo(50);
    assertThat(read(job(2, 100 << 10)).firesMax()).isEqualTo(3);
    assertThat(read(job(3, 256 << 10)).firesMax()).isEqualTo(1);
  }
}
