package io.belfry.core.fire;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.testkit.Seeds;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class DueTimersTest {
  private final DueTimers timers = new DueTimers();

  @Test
  void nothing_is_due_when_there_are_no_timers() {
    assertThat(timers.next()).isEmpty();
    assertThat(timers.popDue(Long.MAX_VALUE)).isEmpty();
  }

  @Test
  void the_earliest_comes_first_and_only_when_it_is_due() {
    timers.set(3, 300);
    timers.set(1, 100);
    timers.set(2, 200);

    assertThat(timers.next()).hasValue(100);
    assertThat(timers.popDue(99)).isEmpty();
    assertThat(timers.popDue(200)).hasValue(1);
    assertThat(timers.popDue(200)).hasValue(2);
    assertThat(timers.popDue(200)).isEmpty();
    assertThat(timers.size()).isEqualTo(1);
  }

  @Test
  void slots_of_one_millisecond_come_by_number() {
    timers.set(9, 5);
    timers.set(4, 5);
    timers.set(7, 5);

    assertThat(timers.popDue(5)).hasValue(4);
    assertThat(timers.popDue(5)).hasValue(7);
    assertThat(timers.popDue(5)).hasValue(9);
  }

  @Test
  void a_timer_can_be_moved_and_cleared() {
    timers.set(1, 100);
    timers.set(2, 200);
    timers.set(1, 300);
    assertThat(timers.next()).hasValue(200);
    assertThat(timers.due(1)).hasValue(300);

    timers.clear(2);
    timers.clear(2);
    timers.clear(1_000_000);
    assertThat(timers.next()).hasValue(300);
    assertThat(timers.due(2)).isEmpty();
  }

  @Test
  void it_agrees_with_a_plain_map_whatever_is_done() {
    Seeds.each(200, DueTimersTest::compareWithMap);
  }

  private static void compareWithMap(RandomGenerator random) {
    DueTimers timers = new DueTimers();
    Map<Integer, Long> plain = new HashMap<>();
    int slots = random.nextInt(1, 200);
    for (int step = 0; step < 1_000; step++) {
      int slot = random.nextInt(slots);
      long due = random.nextLong(-50, 50);
      switch (random.nextInt(4)) {
        case 0, 1 -> {
          timers.set(slot, due);
          plain.put(slot, due);
        }
        case 2 -> {
          timers.clear(slot);
          plain.remove(slot);
        }
        default -> assertThat(timers.popDue(due)).isEqualTo(popDue(plain, due));
      }
      assertThat(timers.size()).isEqualTo(plain.size());
      assertThat(timers.next())
          .isEqualTo(plain.values().stream().mapToLong(at -> at).min());
      assertThat(timers.due(slot))
          .isEqualTo(
              plain.containsKey(slot) ? OptionalLong.of(plain.get(slot)) : OptionalLong.empty());
    }
  }

  private static OptionalInt popDue(Map<Integer, Long> plain, long now) {
    OptionalInt first = plain.entrySet().stream()
        .filter(entry -> entry.getValue() <= now)
        .min(Map.Entry.<Integer, Long>comparingByValue()
            .thenComparing(Map.Entry::getKey, Comparator.naturalOrder()))
        .map(entry -> OptionalInt.of(entry.getKey()))
        .orElse(OptionalInt.empty());
    first.ifPresent(plain::remove);
    return first;
  }
}
