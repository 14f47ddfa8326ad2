package io.belfry.model.missed;

import static io.belfry.model.missed.MissedPolicy.Policy.ALL;
import static io.belfry.model.missed.MissedPolicy.Policy.LAST;
import static io.belfry.model.missed.MissedPolicy.Policy.SKIP;
import static io.belfry.model.missed.SkipReason.MISSED;
import static io.belfry.model.missed.SkipReason.SUPERSEDED;
import static io.belfry.model.missed.SkipReason.TOO_MANY;
import static io.belfry.model.missed.SkipReason.TOO_OLD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.model.Seeds;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class MissedPolicyTest {
  private static final Instant NOW = Instant.parse("2027-01-01T12:00:00Z");
  private static final Duration GRACE = Duration.ofSeconds(5);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** Due every minute on the half minute, so that nothing is due exactly now. */
  private final Regular minutely = new Regular(NOW.minusSeconds(30), MINUTE);

  @Test
  void the_default_is_the_documented_one() {
    assertThat(MissedPolicy.DEFAULT).isEqualTo(new MissedPolicy(LAST, Duration.ofHours(1), 100));
  }

  @Nested
  class Last {
    @Test
    void lets_the_newest_stand_for_all() {
      CatchUp plan = MissedPolicy.DEFAULT.catchUp(ago(9), NOW, GRACE, minutely);
      assertThat(plan.fire()).containsExactly(ago(0));
      assertThat(plan.skipped()).containsExactly(range(9, 1, 9, SUPERSEDED));
    }

    @Test
    void tells_the_too_old_apart() {
      CatchUp plan = MissedPolicy.DEFAULT.catchUp(ago(99), NOW, GRACE, minutely);
      assertThat(plan.fire()).containsExactly(ago(0));
      assertThat(plan.skipped())
          .containsExactly(range(99, 60, 40, TOO_OLD), range(59, 1, 59, SUPERSEDED));
    }

    @Test
    void fires_nothing_when_even_the_newest_is_too_old() {
      Regular daily = new Regular(NOW.minus(Duration.ofHours(3)), Duration.ofDays(1));
      CatchUp plan =
          MissedPolicy.DEFAULT.catchUp(NOW.minus(Duration.ofHours(27)), NOW, GRACE, daily);
      assertThat(plan.fire()).isEmpty();
      assertThat(plan.skipped())
          .containsExactly(new SkippedRange(
              NOW.minus(Duration.ofHours(27)), NOW.minus(Duration.ofHours(3)), 2, true, TOO_OLD));
    }

    @Test
    void lets_an_instant_that_is_on_time_stand_for_the_missed_ones() {
      CatchUp plan = MissedPolicy.DEFAULT.catchUp(ago(2), NOW, Duration.ofSeconds(30), minutely);
      assertThat(plan.fire()).containsExactly(ago(0));
      assertThat(plan.skipped()).containsExactly(range(2, 1, 2, SUPERSEDED));
    }
  }

  @Nested
  class All {
    private final MissedPolicy all = new MissedPolicy(ALL, Duration.ofHours(1), 5);

    @Test
    void fires_each_oldest_first() {
      CatchUp plan = all.catchUp(ago(3), NOW, GRACE, minutely);
      assertThat(plan.fire()).containsExactly(ago(3), ago(2), ago(1), ago(0));
      assertThat(plan.skipped()).isEmpty();
    }

    @Test
    void keeps_the_newest_when_there_are_too_many() {
      CatchUp plan = all.catchUp(ago(99), NOW, GRACE, minutely);
      assertThat(plan.fire()).containsExactly(ago(4), ago(3), ago(2), ago(1), ago(0));
      assertThat(plan.skipped())
          .containsExactly(range(99, 60, 40, TOO_OLD), range(59, 5, 55, TOO_MANY));
    }
  }

  @Nested
  class Skip {
    private final MissedPolicy skip = new MissedPolicy(SKIP, Duration.ofHours(1), 1);

    @Test
    void fires_nothing_that_was_missed() {
      CatchUp plan = skip.catchUp(ago(1), NOW, GRACE, minutely);
      assertThat(plan).isEqualTo(new CatchUp(List.of(), List.of(range(1, 0, 2, MISSED))));
    }

    @Test
    void still_fires_what_is_on_time() {
      Regular justNow = new Regular(NOW, MINUTE);
      CatchUp plan = skip.catchUp(NOW, NOW, Duration.ZERO, justNow);
      assertThat(plan).isEqualTo(new CatchUp(List.of(NOW), List.of()));
    }
  }

  @Test
  void nothing_is_due_when_the_clock_went_back() {
    assertThat(MissedPolicy.DEFAULT.catchUp(NOW.plusSeconds(1), NOW, GRACE, minutely))
        .isEqualTo(CatchUp.NOTHING);
  }

  @Test
  void the_work_does_not_grow_with_the_outage() {
    Regular secondly = new Regular(NOW, Duration.ofSeconds(1));
    CatchUp plan = new MissedPolicy(ALL, Duration.ofDays(300), 100)
        .catchUp(NOW.minus(Duration.ofDays(3650)), NOW, GRACE, secondly);
    assertThat(plan.fire()).hasSize(6 + 100);
    assertThat(plan.skipped()).allSatisfy(range -> {
      assertThat(range.count()).isEqualTo(SkippedRange.COUNT_MAX);
      assertThat(range.exact()).isFalse();
    });
    assertThat(secondly.asked).isLessThan(2 * SkippedRange.COUNT_MAX + 200);
  }

  @Test
  void every_due_instant_ends_in_exactly_one_place() {
    Seeds.each(3000, random -> {
      Listed due = Listed.any(random);
      MissedPolicy policy = new MissedPolicy(
          Seeds.oneOf(random, SKIP, LAST, ALL),
          Duration.ofSeconds(random.nextInt(400)),
          1 + random.nextInt(20));
      Duration grace = Duration.ofSeconds(random.nextInt(30));
      Instant first = due.instants.first();
      CatchUp plan = policy.catchUp(first, NOW, grace, due);

      List<Instant> placed = new ArrayList<>(plan.fire());
      for (SkippedRange range : plan.skipped()) {
        var inside = due.instants.subSet(range.from(), true, range.to(), true);
        assertThat(inside).hasSize(range.count());
        assertThat(range.exact()).isTrue();
        placed.addAll(inside);
      }
      assertThat(placed).containsExactlyInAnyOrderElementsOf(due.instants.headSet(NOW, true));
      assertThat(plan.fire()).isSorted().isEqualTo(expected(policy, grace, due));
    });
  }

  /** The rule once more, by looking at every instant. */
  private static List<Instant> expected(MissedPolicy policy, Duration grace, Listed due) {
    List<Instant> past = List.copyOf(due.instants.headSet(NOW, true));
    List<Instant> onTime =
        past.stream().filter(at -> !at.isBefore(NOW.minus(grace))).toList();
    List<Instant> young = past.stream()
        .filter(at -> at.isBefore(NOW.minus(grace)) && !at.isBefore(NOW.minus(policy.maxAge())))
        .toList();
    int wanted = switch (policy.policy()) {
      case SKIP -> 0;
      case LAST -> onTime.isEmpty() ? 1 : 0;
      case ALL -> policy.maxCount();
    };
    return Stream.concat(young.stream().skip(Math.max(0, young.size() - wanted)), onTime.stream())
        .toList();
  }

  @Test
  void bounds_are_checked() {
    assertThatThrownBy(() -> new MissedPolicy(LAST, Duration.ofDays(400), 1))
        .hasMessageStartingWith("missed.maxAge must lie between PT0S and PT8784H");
    assertThatThrownBy(() -> new MissedPolicy(LAST, MINUTE, 0))
        .hasMessageStartingWith("missed.maxCount must lie between 1");
  }

  private static Instant ago(int minutes) {
    return NOW.minusSeconds(30).minus(MINUTE.multipliedBy(minutes));
  }

  private static SkippedRange range(int from, int to, int count, SkipReason reason) {
    return new SkippedRange(ago(from), ago(to), count, true, reason);
  }

  /** Evenly spaced for ever, by arithmetic; counts how often it is asked. */
  private static final class Regular implements Timetable {
    private final long anchor;
    private final long step;
    private int asked;

    Regular(Instant anchor, Duration step) {
      this.anchor = anchor.toEpochMilli();
      this.step = step.toMillis();
    }

    @Override
    public Optional<Instant> next(Instant after) {
      asked++;
      long steps = Math.floorDiv(after.toEpochMilli() - anchor, step) + 1;
      return Optional.of(Instant.ofEpochMilli(anchor + steps * step));
    }

    @Override
    public Optional<Instant> previous(Instant before) {
      asked++;
      long exclusive = before.minusNanos(1).toEpochMilli();
      return Optional.of(
          Instant.ofEpochMilli(anchor + Math.floorDiv(exclusive - anchor, step) * step));
    }
  }

  /** Any finite set of instants around now. */
  private record Listed(NavigableSet<Instant> instants) implements Timetable {
    static Listed any(RandomGenerator random) {
      NavigableSet<Instant> instants = new TreeSet<>();
      for (int i = 1 + random.nextInt(40); i > 0; i--) {
        instants.add(NOW.minusSeconds(random.nextInt(-20, 500)));
      }
      return new Listed(instants);
    }

    @Override
    public Optional<Instant> next(Instant after) {
      return Optional.ofNullable(instants.higher(after));
    }

    @Override
    public Optional<Instant> previous(Instant before) {
      return Optional.ofNullable(instants.lower(before));
    }
  }
}
