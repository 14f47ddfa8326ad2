package io.belfry.simulation;

import java.time.Duration;
import java.util.function.LongConsumer;

/**
 * The engine has no room again and again, and answers to whoever submits get lost: what he is told is refused never comes, what he is told
 * is accepted does, and everything goes on when there is room.
 */
final class RoomScenario implements LongConsumer {
  private static final Duration STORM = Duration.ofSeconds(40);
  private static final Duration END = STORM.plusSeconds(30);

  @Override
  public void accept(long seed) {
    var stage = new Stage(seed, "ScenariosTest#what_has_no_room_is_refused_for_good");
    stage.retrySoon();
    SimEngine engine = stage.simulation.engine();
    stage.scheduler("s1");
    stage.scheduler("s2");
    stage.worker("w1", 8, Script.mixed());
    stage.worker("w2", 8, Script.mixed());
    Link client = stage.submitter(Duration.ofMillis(150), STORM).link(engine);
    stage.world.in(Duration.ofSeconds(3), () -> client.lossy(5));
    stage.world.in(STORM, () -> client.lossy(0));
    for (long at = 4_000_000_000L; at < STORM.toNanos(); at += 1_000_000_000L) {
      stage.world.at(
          at + stage.dice.nextInt(1_000_000_000),
          () -> engine.full(Duration.ofMillis(100 + stage.dice.nextInt(900))));
    }
    stage.runUntil(END);
  }
}
