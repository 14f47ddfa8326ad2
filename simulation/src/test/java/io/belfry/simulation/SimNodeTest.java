package io.belfry.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.core.loop.Loop;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SimNodeTest {
  private final World world = new World(5);
  private final SimNode node = new SimNode(world, "s1", 1, Duration.ofMillis(70));
  private final List<Object> said = new ArrayList<>();

  private void until(int seconds) {
    world.runUntil(Duration.ofSeconds(seconds));
  }

  @Test
  void steps_of_a_loop_keep_their_order() {
    Loop loop = node.loop();
    IntStream.range(0, 500).forEach(i -> loop.post(() -> said.add(i)));
    until(60);
    assertThat(said)
        .hasSize(500)
        .isSortedAccordingTo((a, b) -> Integer.compare((Integer) a, (Integer) b));
  }

  @Test
  void a_timer_runs_when_its_time_has_come_unless_it_was_cancelled() {
    Loop loop = node.loop();
    long start = loop.time().nanos();
    loop.after(Duration.ofSeconds(1), () -> said.add(loop.time().nanos() - start));
    loop.after(Duration.ofSeconds(1), () -> said.add("cancelled")).cancel();
    until(3);
    assertThat(said)
        .singleElement()
        .satisfies(after -> assertThat((long) after).isBetween(1_000_000_000L, 1_100_000_000L));
  }

  @Test
  void nothing_runs_after_a_crash() {
    Loop loop = node.loop();
    loop.post(() -> said.add("posted"));
    loop.after(Duration.ofSeconds(1), () -> said.add("timer"));
    node.crash();
    until(3);
    assertThat(said).isEmpty();
  }

  @Test
  void what_came_during_a_pause_runs_after_it_in_order_behind_the_timers() {
    Loop loop = node.loop();
    node.pause(Duration.ofSeconds(5));
    loop.post(() -> said.add("first"));
    loop.after(
        Duration.ofSeconds(2),
        () -> said.add("timer at " + Duration.ofNanos(world.now()).toSeconds()));
    until(4);
    assertThat(said).isEmpty();
    until(8);
    assertThat(said).containsExactly("timer at 5", "first");
    assertThat(node.pausedNanos()).isEqualTo(Duration.ofSeconds(5).toNanos());
  }

  @Test
  void the_wall_clock_steps_and_the_stopwatch_does_not() {
    Instant wall = node.time().wall();
    long nanos = node.time().nanos();
    node.time().step(Duration.ofHours(-1));
    assertThat(node.time().wall()).isEqualTo(wall.minus(Duration.ofHours(1)));
    assertThat(node.time().nanos()).isEqualTo(nanos);
    until(2);
    assertThat(node.time().nanos()).isEqualTo(nanos + Duration.ofSeconds(2).toNanos());
  }

  @Test
  void steps_that_take_time_run_one_after_another_in_order() {
    node.costs(random -> 1_000_000_000L);
    Loop loop = node.loop();
    for (int i = 0; i < 4; i++) {
      loop.post(() -> said.add(Duration.ofNanos(world.now()).toSeconds()));
    }
    until(2);
    node.costs(random -> 0);
    until(10);
    assertThat(said).containsExactly(0L, 1L, 2L, 2L);
  }

  @Test
  void time_passes_within_a_step_and_what_it_does_comes_later() {
    node.costs(random -> 5_000_000_000L);
    Loop loop = node.loop();
    long[] read = new long[2];
    loop.post(() -> {
      node.costs(random -> 0);
      read[0] = loop.time().nanos();
      for (int i = 0; i < 10; i++) {
        read[1] = loop.time().nanos();
      }
      loop.post(() -> said.add(Duration.ofNanos(world.now()).toSeconds()));
    });
    until(1);
    assertThat(node.standsStill()).isTrue();
    assertThat(said).isEmpty();
    until(10);
    assertThat(read[1] - read[0]).isEqualTo(5_000_000_000L);
    assertThat(said).containsExactly(5L);
  }

  @Test
  void timers_of_a_machine_that_saves_power_run_late() {
    node.timersEvery(Duration.ofSeconds(20));
    Loop loop = node.loop();
    loop.after(
        Duration.ofSeconds(1), () -> said.add(Duration.ofNanos(world.now()).toSeconds()));
    loop.after(
        Duration.ofSeconds(21), () -> said.add(Duration.ofNanos(world.now()).toSeconds()));
    until(60);
    assertThat(said).containsExactly(20L, 40L);
  }

  @Test
  void a_step_that_throws_is_a_violation() {
    node.loop().post(() -> {
      throw new IllegalStateException("oops");
    });
    assertThatThrownBy(() -> until(1)).isInstanceOf(Violation.class).hasMessageContaining("oops");
  }
}
