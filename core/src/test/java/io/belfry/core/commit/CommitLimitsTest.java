package io.belfry.core.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.store.Limits;
import org.junit.jupiter.api.Test;

class CommitLimitsTest {

  @Test
  void every_batch_fits_into_a_commit_of_every_engine() {
    assertThat(CommitLimits.RECORDS).allSatisfy(limits -> {
      assertThat(limits.items()).isLessThan(Limits.WRITES_MAX).isLessThan(Limits.GUARDS_MAX);
      assertThat(limits.bytes()).isLessThan(Limits.COMMIT_BYTES_MAX);
    });
    assertThat(3 + 3 * CommitLimits.AFTER_JOBS.items()).isLessThanOrEqualTo(Limits.GUARDS_MAX);
    assertThat(CommitLimits.EVENTS.bytes()).isLessThan(Limits.VALUE_BYTES_MAX);
    assertThat(CommitLimits.ENDED_BATCH_BYTES_MAX).isLessThan(Limits.VALUE_BYTES_MAX);
    assertThat(CommitLimits.ENDED_BATCH_AND_TASKS_BYTES_MAX).isLessThan(Limits.COMMIT_BYTES_MAX);
  }

  @Test
  void items_and_bytes_are_limited() {
    var limits = new CommitLimits(2, 100);
    assertThat(limits.allows(2, 100)).isTrue();
    assertThat(limits.allows(3, 1)).isFalse();
    assertThat(limits.allows(1, 101)).isFalse();
  }
}
