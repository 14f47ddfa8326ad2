package io.belfry.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.worker.Launcher;
import io.belfry.core.worker.Launcher.Ending;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.task.Result;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimLauncherTest {
  private static final Ending GOOD = new Ending.Returned(Result.OK);

  private final World world = new World(3);
  private final Ledger ledger = new Ledger(world);
  private final SimNode node = new SimNode(world, "w1", 1, Duration.ZERO);
  private final List<Long> endedAfterMillis = new ArrayList<>();

  private Launcher.Started start(Duration length, Duration deaf) {
    var launcher =
        new SimLauncher(node, ledger, (task, random) -> new Script.Body(length, GOOD, deaf));
    Task task = Task.pending(
        TaskId.parse("a"),
        Work.of("a", ExecutorSpec.local("a")),
        Priority.NORMAL,
        SimTime.BEGINNING,
        SimTime.BEGINNING);
    return launcher.start(task, ending -> endedAfterMillis.add(world.now() / 1_000_000));
  }

  @Test
  void a_body_ends_when_its_script_says() {
    start(Duration.ofSeconds(2), Duration.ZERO);
    world.runUntil(Duration.ofSeconds(1));
    assertThat(ledger.live()).hasSize(1);
    world.runUntil(Duration.ofSeconds(9));
    assertThat(endedAfterMillis).containsExactly(2_000L);
    assertThat(ledger.of("a"))
        .singleElement()
        .satisfies(line -> assertThat(line.end).isEqualTo(Ledger.End.RETURNED));
  }

  @Test
  void a_body_stands_still_while_its_process_does() {
    start(Duration.ofSeconds(2), Duration.ZERO);
    world.in(Duration.ofSeconds(1), () -> node.pause(Duration.ofSeconds(5)));
    world.runUntil(Duration.ofSeconds(20));
    assertThat(endedAfterMillis)
        .singleElement()
        .satisfies(at -> assertThat(at).isBetween(7_000L, 7_500L));
  }

  @Test
  void a_body_without_end_ends_by_an_interrupt_once_it_listens() {
    Launcher.Started started = start(Script.FOREVER, Duration.ofSeconds(3));
    world.in(Duration.ofSeconds(10), started::interrupt);
    world.in(Duration.ofSeconds(11), started::interrupt);
    world.runUntil(Duration.ofSeconds(60));
    assertThat(endedAfterMillis).containsExactly(13_000L);
  }

  @Test
  void a_body_vanishes_with_its_process_and_nobody_hears_of_its_end() {
    start(Duration.ofSeconds(2), Duration.ZERO);
    world.in(Duration.ofSeconds(1), node::crash);
    world.runUntil(Duration.ofSeconds(9));
    assertThat(endedAfterMillis).isEmpty();
    assertThat(ledger.of("a"))
        .singleElement()
        .satisfies(line -> assertThat(line.end).isEqualTo(Ledger.End.VANISHED));
  }
}
