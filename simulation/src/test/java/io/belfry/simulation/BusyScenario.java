package io.belfry.simulation;

import io.belfry.core.worker.Launcher.Ending;
import io.belfry.model.task.Result;
import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;

/**
 * Machines without enough processor time: each step takes a while, and some take longer than a lease, anywhere between what they check and
 * what they do. On other machines answers come late and in another order, which delays nothing and so must not be noticed.
 */
final class BusyScenario implements LongConsumer {
  private static final Duration STORM = Duration.ofSeconds(60);
  private static final Duration END = Duration.ofSeconds(110);
  private static final Duration RAGGED = Duration.ofMillis(1_950);
  private static final int STALL_MILLIS_MAX = 9_000;

  private static final Script LONG = (task, random) -> new Script.Body(
      Duration.ofMillis(300 + random.nextInt(6_000)),
      new Ending.Returned(Result.OK),
      Duration.ofMillis(1));

  @Override
  public void accept(long seed) {
    var stage = new Stage(seed, "ScenariosTest#whoever_is_busy_acts_on_no_stale_belief");
    var unusedTrust = new TrustLaw(stage.simulation);
    stage.retrySoon();
    Cluster.Seat slow = stage.scheduler("s1");
    stage.scheduler("s2");
    List<Cluster.Seat> stalled =
        List.of(slow, stage.worker("w1", 6, LONG), stage.worker("w2", 6, LONG));
    List<Cluster.Seat> late = List.of(stage.worker("w3", 6, LONG), stage.worker("w4", 6, LONG));
    stage.submitter(Duration.ofMillis(200), STORM);
    stage.world.in(Duration.ofSeconds(2), () -> {
      stalled.forEach(seat -> seat.node().ifPresent(node -> node.costs(BusyScenario::cost)));
      late.forEach(seat -> seat.link(stage.simulation.engine()).ragged(RAGGED));
    });
    stage.world.at(STORM.toNanos(), () -> {
      stalled.forEach(seat -> seat.node().ifPresent(node -> node.costs(random -> 0)));
      late.forEach(seat -> seat.link(stage.simulation.engine()).ragged(Duration.ZERO));
    });
    stage.runUntil(END);
    stage.requireCounted("stalls");
  }

  /** Mostly little, sometimes as much as a busy garbage collector takes, now and then a good part of a lease or more than one. */
  private static long cost(RandomGenerator random) {
    int kind = random.nextInt(400);
    return switch (kind) {
      case 0 -> 1_000_000L * (2_500 + random.nextInt(STALL_MILLIS_MAX - 2_500));
      case 1 -> 1_000_000L * (250 + random.nextInt(2_250));
      case 2, 3, 4, 5 -> random.nextInt(250_000_000);
      default -> random.nextInt(1_500_000);
    };
  }
}
