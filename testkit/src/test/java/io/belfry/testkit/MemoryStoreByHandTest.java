package io.belfry.testkit;

import static io.belfry.testkit.contract.Subject.PLAIN;
import static io.belfry.testkit.contract.Subject.WATCHED;
import static io.belfry.testkit.contract.Subject.answer;
import static io.belfry.testkit.contract.Subject.bytes;
import static io.belfry.testkit.contract.Subject.done;
import static io.belfry.testkit.contract.Subject.key;
import static io.belfry.testkit.contract.Subject.put;
import static io.belfry.testkit.contract.Subject.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.store.Commit;
import io.belfry.store.Feed;
import io.belfry.store.Key;
import io.belfry.store.Lease;
import io.belfry.store.MemoryStore;
import io.belfry.store.Revision;
import io.belfry.store.Watch;
import io.belfry.testkit.contract.WatchProbe;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The specification without a timer: only the test moves time, so that nothing ends but by a call. */
class MemoryStoreByHandTest {
  private final ManualTime time = new ManualTime(Instant.EPOCH);
  private final MemoryStore memory = new MemoryStore(time, Runnable::run);
  private final Key key = key(PLAIN, "a");

  @Test
  void every_call_ends_the_leases_that_are_over() {
    Lease lease = answer(memory.grant(Duration.ofSeconds(10)));
    done(memory, Commit.when().put(key, bytes("1"), lease.id()));
    time.advance(Duration.ofSeconds(11));
    done(memory, Commit.when().absent(key).put(key, bytes("2")));
    assertThat(answer(memory.renew(lease.id()))).isFalse();
  }

  @Test
  void a_step_of_the_wall_clock_ends_no_lease() {
    Lease lease = answer(memory.grant(Duration.ofSeconds(10)));
    time.stepWall(Duration.ofHours(1));
    assertThat(answer(memory.renew(lease.id()))).isTrue();
  }

  @Test
  void an_epoch_ends_fences_and_watches_starts_leases_over_and_keeps_values() {
    long won = put(memory, key, "1");
    Lease lease = answer(memory.grant(Duration.ofSeconds(10)));
    WatchProbe probe = new WatchProbe();
    try (Watch watch = memory.watch(Feed.of(WATCHED), Watch.NOW, probe)) {
      probe.opened();
      time.advance(Duration.ofSeconds(9));
      memory.beginEpoch();
      probe.next(WatchProbe.Event.Compacted.class);
    }
    time.advance(Duration.ofSeconds(9));
    assertThat(answer(memory.renew(lease.id()))).isTrue();
    refused(memory, Commit.when().holds(key, won).put(key(PLAIN, "b"), bytes("1")));
    long next = done(memory, Commit.when().unchanged(key, won).put(key, bytes("2")));
    assertThat(Revision.epoch(next)).isEqualTo(Revision.epoch(won) + 1);
  }
}
