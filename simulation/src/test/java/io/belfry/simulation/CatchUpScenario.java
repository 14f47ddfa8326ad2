package io.belfry.simulation;

import io.belfry.core.dispatch.Strategies;
import io.belfry.core.election.ElectionSettings;
import io.belfry.core.event.Observer;
import io.belfry.core.jobs.Jobs;
import io.belfry.core.keys.Keys;
import io.belfry.core.leader.term.LeaderSettings;
import io.belfry.core.node.Scheduler;
import io.belfry.core.record.Records;
import io.belfry.model.job.Job;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.task.TaskId;
import io.belfry.store.Change;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * I11: everybody who could fire stands still, and many jobs become overdue. What follows is released at its rate, and what is on time by
 * then does not wait behind it.
 */
final class CatchUpScenario implements LongConsumer, EngineEar {
  private static final int JOBS = 150;
  private static final int RATE = 15;
  private static final Duration OUTAGE_BEGINS = Duration.ofSeconds(8);
  private static final Duration OUTAGE = Duration.ofSeconds(15);
  private static final Duration END = Duration.ofSeconds(50);
  /** By then somebody leads again. */
  private static final Instant ON_TIME_FROM = SimTime.BEGINNING.plusSeconds(26);

  private static final Duration ON_TIME = Duration.ofMillis(1500);
  private static final int PUNCTUAL = 8;

  private final LeaderSettings settings = new LeaderSettings(
      LeaderSettings.DEFAULT.workerLease(),
      LeaderSettings.DEFAULT.grace(),
      RATE,
      LeaderSettings.DEFAULT.overdue(),
      LeaderSettings.DEFAULT.limitKey(),
      LeaderSettings.DEFAULT.retain());
  private World world = new World(0);
  private ArrayDeque<Long> released = new ArrayDeque<>();
  private Set<String> caughtUp = new HashSet<>();
  private int punctual;

  @Override
  public void accept(long seed) {
    world = new World(seed, "ScenariosTest#catching_up_keeps_to_its_rate_and_delays_nothing");
    released = new ArrayDeque<>();
    caughtUp = new HashSet<>();
    punctual = 0;
    var simulation = new Simulation(
        world, EngineMode.ETCD, Set.of(), CoreScenario.DECODER, Set.of(Keys.INBOXES));
    var fires = new FireLaw(simulation);
    simulation.engine().addEar(this);
    Cluster.Seat one = simulation.cluster().add("s1", this::scheduler);
    Cluster.Seat two = simulation.cluster().add("s2", this::scheduler);
    simulation.cluster().add("c", CatchUpScenario::client);
    for (Cluster.Seat seat : java.util.List.of(one, two)) {
      world.at(OUTAGE_BEGINS.toNanos(), () -> seat.pause(OUTAGE));
    }
    world.runUntil(END);
    fires.checkFiring();
    if (caughtUp.size() < JOBS || punctual < PUNCTUAL) {
      throw world.violation(
          "I7 everything recovers",
          caughtUp.size() + " jobs were caught up with, and " + punctual + " were on time");
    }
  }

  private void scheduler(Cluster.Booted process) {
    new Scheduler(
            process.node().loop(),
            process.store(),
            process.store(),
            process.node().id(),
            ElectionSettings.DEFAULT,
            settings,
            Strategies.builtIn(),
            Observer.NOBODY)
        .start();
  }

  private static void client(Cluster.Booted process) {
    var jobs = new Jobs(process.node().loop(), process.store());
    for (int i = 0; i < JOBS; i++) {
      var unused = jobs.put(Job.named("late-" + i)
          .local("noop")
          .every(Duration.ofSeconds(2))
          .overlap(OverlapPolicy.ALLOW)
          .build());
    }
    for (int i = 0; i < PUNCTUAL; i++) {
      var unused = jobs.put(Job.named("punctual-" + i)
          .local("noop")
          .at(ON_TIME_FROM.plusMillis(900L * i))
          .build());
    }
  }

  @Override
  public void settled(EngineStep step) {
    Instant now = SimTime.BEGINNING.plusNanos(world.now());
    for (Change change : step.changes()) {
      if (change instanceof Change.Put(var entry) && entry.key().space().equals(Keys.CURSORS)) {
        Optional<Instant> before = Optional.ofNullable(step.before(entry.key()))
            .flatMap(slot -> Records.cursor(slot.value()).next());
        // A clock may be ahead by as much as nodes differ.
        if (before
            .filter(at -> at.isBefore(now.minus(settings.grace()).minusMillis(300)))
            .isPresent()) {
          released(entry.key().text());
        }
      } else if (change.key().text().startsWith("punctual-")
          && change.key().space().equals(Keys.TASKS)
          && TaskId.parse(change.key().text()) instanceof TaskId.Fire(var job, Instant at)) {
        punctual++;
        if (Duration.between(at, now).compareTo(ON_TIME) > 0) {
          throw world.violation(
              "I11 catching up delays nothing that is on time",
              job + " due " + at + " came " + now);
        }
      }
    }
  }

  /** What was decided within a second of ours lies in two of the leader's, and so do two shares; and a commit takes up to 0.4 s. */
  private void released(String job) {
    caughtUp.add(job);
    released.add(world.now());
    while (released.getFirst() < world.now() - 600_000_000L) {
      released.removeFirst();
    }
    if (released.size() > 2 * RATE) {
      throw world.violation(
          "I11 catching up keeps to its rate", released.size() + " jobs were released in 0.6 s");
    }
  }
}
