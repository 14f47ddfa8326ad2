package io.belfry.core.leader.fire;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.history.RetainSettings;
import io.belfry.core.leader.term.LeaderSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Test;

class CatchUpRateTest {
  private static final Instant BEGUN = Instant.parse("2027-01-01T00:00:00Z");
  private static final int RATE = 100;

  private final CatchUpRate release = new CatchUpRate(new LeaderSettings(
      Duration.ofSeconds(4),
      Duration.ofSeconds(5),
      RATE,
      Duration.ofSeconds(10),
      LeaderSettings.DEFAULT.limitKey(),
      RetainSettings.DEFAULT));

  CatchUpRateTest() {
    release.begin(BEGUN);
  }

  @Test
  void what_became_due_while_somebody_fired_is_not_missed_however_late_it_is() {
    Instant now = BEGUN.plusSeconds(60);
    assertThat(release.isMissed(BEGUN.minusSeconds(6), now)).isTrue();
    assertThat(release.isMissed(BEGUN, now)).isFalse();
    assertThat(release.isMissed(BEGUN.plusSeconds(1), now)).isFalse();
    release.begin(BEGUN.plusSeconds(30));
    assertThat(release.isMissed(BEGUN.plusSeconds(1), now)).isTrue();
  }

  @Test
  void what_is_a_little_late_when_firing_begins_is_on_time() {
    assertThat(release.isMissed(BEGUN.minusSeconds(4), BEGUN)).isFalse();
    assertThat(release.isMissed(BEGUN.minusSeconds(4), BEGUN.plusSeconds(2))).isTrue();
  }

  @Test
  void each_is_woken_once_or_twice_and_released_at_the_rate() {
    int jobs = 1_000;
    var waiting = new PriorityQueue<Instant>();
    for (int i = 0; i < jobs; i++) {
      waiting.add(BEGUN);
    }
    List<Instant> released = new ArrayList<>();
    int woken = 0;
    while (!waiting.isEmpty()) {
      Instant now = Instant.ofEpochMilli(waiting.remove().toEpochMilli());
      woken++;
      if (release.isOpen(now)) {
        release.take(1, now);
        released.add(now);
      } else {
        waiting.add(release.place(now));
      }
    }
    assertThat(woken).isLessThanOrEqualTo(2 * jobs + 10);
    assertThat(Duration.between(BEGUN, released.getLast()))
        .isBetween(Duration.ofSeconds(jobs / RATE - 1), Duration.ofSeconds(jobs / RATE + 1));
    for (int i = 0; i + RATE + RATE / 2 < jobs; i++) {
      assertThat(Duration.between(released.get(i), released.get(i + RATE + RATE / 2)))
          .isGreaterThan(Duration.ofSeconds(1));
    }
  }

  @Test
  void several_at_once_take_several_shares() {
    assertThat(release.isOpen(BEGUN)).isTrue();
    release.take(2 * RATE, BEGUN);
    assertThat(release.isOpen(BEGUN.plusSeconds(1))).isFalse();
    assertThat(release.isOpen(BEGUN.plusSeconds(2))).isTrue();
  }
}
