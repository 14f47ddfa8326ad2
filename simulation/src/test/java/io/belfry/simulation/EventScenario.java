package io.belfry.simulation;

import io.belfry.core.election.ElectionSettings;
import io.belfry.core.event.Happening;
import io.belfry.core.event.InOrder;
import io.belfry.core.event.Listener;
import io.belfry.core.event.Telling;
import io.belfry.core.node.Presence;
import io.belfry.core.worker.Launcher.Ending;
import io.belfry.model.task.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;

/** There is always something to tell, and leaders are deposed while they tell it: what a listener hears is in order, from one leader at a time. */
final class EventScenario implements LongConsumer {
  private static final Duration STORM = Duration.ofSeconds(40);
  private static final Duration END = Duration.ofSeconds(60);

  private static final Script SHORT = (task, random) -> new Script.Body(
      Duration.ofMillis(1 + random.nextInt(50)),
      new Ending.Returned(Result.OK),
      Duration.ofMillis(1));

  @Override
  public void accept(long seed) {
    var stage = new Stage(seed, "ScenariosTest#events_come_in_order_from_one_leader_at_a_time");
    List<Cluster.Seat> leaders = new ArrayList<>();
    for (String name : List.of("s1", "s2", "s3")) {
      leaders.add(stage.scheduler(name));
    }
    stage.worker("w1", 20, SHORT);
    stage.worker("w2", 20, SHORT);
    stage.submitter(Duration.ofMillis(30), STORM);
    stage.simulation.cluster().add("ear", process -> listener(stage, process));
    for (long at = 6_000_000_000L; at < STORM.toNanos(); at += 8_000_000_000L) {
      boolean late = stage.dice.nextBoolean();
      stage.world.at(
          at,
          () -> leaders.forEach(seat -> seat.node()
              .filter(node -> node.id().equals(stage.leader()))
              .ifPresent(node -> depose(stage, seat, late))));
    }
    stage.runUntil(END);
  }

  /** It stands still for longer than its lease, some of its messages having got stuck on their way before. */
  private static void depose(Stage stage, Cluster.Seat leader, boolean late) {
    Link link = leader.link(stage.simulation.engine());
    link.lossy(late ? 2 : 0);
    stage.world.in(Duration.ofMillis(300), () -> leader.pause(Duration.ofSeconds(6)));
    stage.world.in(Duration.ofSeconds(7), () -> link.lossy(0));
  }

  private static void listener(Stage stage, Cluster.Booted process) {
    String node = process.node().id();
    new Listener(
            process.node().loop(),
            process.store(),
            node,
            new InOrder(new EventLaw(stage.world, node)),
            missed -> {})
        .start();
    var presence = new Presence(
        process.node().loop(),
        process.store(),
        new Presence.Card(node, Set.of(), "here", "0"),
        ElectionSettings.DEFAULT,
        Optional::empty);
    presence.listens(Telling.kinds(Happening.class));
    presence.start();
  }
}
