package io.belfry.simulation;

import io.belfry.core.election.ElectionSettings;
import io.belfry.core.node.Presence;
import io.belfry.core.node.Scheduler;
import io.belfry.core.record.NodeRecord.Role;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;

/** One of four machines has a clock that is wrong whenever it starts, and leaders die: it does not lead for long. */
final class ClockScenario implements LongConsumer {
  private static final Duration STORM = Duration.ofSeconds(80);
  /** The last of three tries begins up to 70 s after the first. */
  private static final Duration END = Duration.ofSeconds(165);

  @Override
  public void accept(long seed) {
    var stage = new Stage(seed, "ScenariosTest#whose_clock_is_off_does_not_lead");
    var clocks = new ClockLaw(stage.simulation);
    List<Cluster.Seat> seats = new ArrayList<>();
    for (String name : List.of("s1", "s2", "s3", "s4")) {
      Duration off = name.equals("s1")
          ? Duration.ofSeconds(stage.dice.nextInt(5, 60) * (stage.dice.nextBoolean() ? 1L : -1L))
          : Duration.ZERO;
      seats.add(stage.simulation.cluster().add(name, process -> {
        process.node().time().step(off);
        Scheduler scheduler = stage.parts.scheduler(process);
        clocks.joined(process.node(), scheduler);
        new Presence(
                process.node().loop(),
                process.store(),
                new Presence.Card(process.node().id(), Set.of(Role.SCHEDULER), "here", "0"),
                ElectionSettings.DEFAULT,
                () -> scheduler.leadership().map(lead -> lead.term().number()))
            .start();
      }));
    }
    stage.worker("w1", 5, Script.mixed());
    stage.submitter(Duration.ofSeconds(1), STORM);
    for (long at = 20_000_000_000L; at < STORM.toNanos(); at += 20_000_000_000L) {
      stage.world.at(
          at,
          () -> seats.forEach(seat -> seat.node()
              .filter(node -> node.id().equals(stage.leader()))
              .filter(node -> !seat.name().equals("s1"))
              .ifPresent(node -> {
                seat.crash();
                stage.world.in(Duration.ofSeconds(1), seat::start);
              })));
    }
    stage.runUntil(END);
  }
}
