package io.belfry.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The world itself: order, time, and the same again from the same seed. */
class WorldTest {
  @Test
  void steps_run_in_the_order_of_their_time_and_then_of_their_asking() {
    var world = new World(1);
    var said = new ArrayList<String>();
    world.in(Duration.ofSeconds(2), () -> said.add("late at " + world.now()));
    world.in(Duration.ofSeconds(1), () -> said.add("first"));
    world.in(Duration.ofSeconds(1), () -> said.add("second"));
    world.in(Duration.ofSeconds(4), () -> said.add("never"));
    world.runUntil(Duration.ofSeconds(3));
    assertThat(said).containsExactly("first", "second", "late at 2000000000");
    assertThat(world.now()).isEqualTo(Duration.ofSeconds(3).toNanos());
  }

  @Test
  void laws_are_looked_at_after_every_step() {
    var world = new World(1);
    var steps = new ArrayList<Integer>();
    world.afterEachStep(() -> {
      if (steps.size() == 2) {
        throw world.violation("I9 nothing is unbounded", "two steps");
      }
    });
    for (int i = 0; i < 5; i++) {
      world.in(i, () -> steps.add(1));
    }
    assertThatThrownBy(() -> world.runUntil(Duration.ofSeconds(1))).isInstanceOf(Violation.class);
    assertThat(steps).hasSize(2);
  }

  @Test
  void a_violation_names_the_law_the_seed_and_the_command_and_shows_what_came_before() {
    var world = new World(4411);
    world.note("s1~1", "leads by term", 3);
    assertThat(world.violation("I5 terms only grow", "it did not"))
        .hasMessageContaining("I5 terms only grow: it did not")
        .hasMessageContaining("./belfry test --only SimulationTest --seed 4411")
        .hasMessageContaining("s1~1")
        .hasMessageContaining("leads by term 3");
  }

  @Test
  void the_trace_keeps_the_last_lines_and_hashes_all() {
    var trace = new Trace(2);
    var same = new Trace(2);
    List.of("a", "b", "c").forEach(what -> trace.note(1, "who", what, ""));
    List.of("x", "b", "c").forEach(what -> same.note(1, "who", what, ""));
    assertThat(trace.show())
        .doesNotContain("who          a")
        .contains("who          b")
        .contains("who          c");
    assertThat(trace.show()).isEqualTo(same.show());
    assertThat(trace.hash()).isNotEqualTo(same.hash());
  }

  @Test
  void whatever_throws_says_how_to_see_it_again() {
    var broken = new World(17, "SomeTest#some");
    broken.in(5, () -> {
      throw new IllegalStateException("on purpose");
    });
    assertThatThrownBy(() -> broken.runUntil(Duration.ofSeconds(1)))
        .isInstanceOf(Violation.class)
        .hasMessageContaining("on purpose")
        .hasMessageContaining("./belfry test --only SomeTest#some --seed 17");
  }

  @Test
  void the_same_seed_gives_the_same_trace_and_another_seed_another() {
    assertThat(TraceHash.of(7)).isEqualTo(TraceHash.of(7)).isNotEqualTo(TraceHash.of(8));
  }

  @Test
  void the_same_seed_gives_the_same_trace_in_another_process()
      throws IOException, InterruptedException {
    Process other = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            TraceHash.class.getName(),
            "11")
        .redirectErrorStream(true)
        .start();
    try {
      String said = new String(other.getInputStream().readAllBytes(), UTF_8).strip();
      assertThat(other.waitFor(60, TimeUnit.SECONDS)).isTrue();
      // Whatever a logger has to say comes before it.
      assertThat(said.lines().reduce((first, second) -> second)).hasValue(TraceHash.of(11));
    } finally {
      other.destroyForcibly();
    }
  }
}
