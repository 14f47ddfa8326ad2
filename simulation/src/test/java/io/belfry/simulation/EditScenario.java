package io.belfry.simulation;

import io.belfry.core.jobs.Jobs;
import io.belfry.core.keys.Keys;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.LongConsumer;

/**
 * Many people change the same few jobs through one process at the same time, so that their commits would fit into one batch: each
 * acknowledged change is a generation of its own, made on top of the one before.
 */
class EditScenario implements LongConsumer {
  private static final Duration END = Duration.ofSeconds(6);
  private static final int JOBS = 3;
  private static final int PEOPLE = 6;

  private final Set<Sabotage> sabotage;

  /** The same with a committer that does not keep commits apart that touch each other. */
  static final class WithSkew extends EditScenario {
    WithSkew() {
      super(Set.of(Sabotage.BATCHES_NOT_DISJOINT));
    }
  }

  EditScenario() {
    this(Set.of());
  }

  private EditScenario(Set<Sabotage> sabotage) {
    this.sabotage = sabotage;
  }

  @Override
  public void accept(long seed) {
    var world = new World(seed, "ScenariosTest#each_acknowledged_change_is_a_generation");
    var simulation = new Simulation(
        world, EngineMode.ETCD, sabotage, CoreScenario.DECODER, Set.of(Keys.INBOXES));
    var parts = new CoreParts(simulation);
    var fires = new FireLaw(simulation);
    var unusedVersions = new VersionLaw(simulation);
    Map<JobId, Set<Long>> generations = new HashMap<>();
    simulation.cluster().add("s1", parts::scheduler);
    simulation.cluster().add("c", process -> {
      var jobs = new Jobs(process.node().loop(), process.store());
      for (int i = 0; i < PEOPLE; i++) {
        edit(world, process.node(), jobs, generations);
      }
    });
    world.runUntil(END);
    fires.checkFiring();
  }

  private static void edit(
      World world, SimNode node, Jobs jobs, Map<JobId, Set<Long>> generations) {
    Job job = Job.named("job-" + node.random().nextInt(JOBS))
        .local("noop")
        .every(Duration.ofSeconds(3))
        .build();
    CompletionStage<Job> saved = jobs.put(job);
    node.loop()
        .onResult(
            saved,
            done -> {
              if (!generations
                  .computeIfAbsent(done.id(), id -> new HashSet<>())
                  .add(done.generation())) {
                throw world.violation(
                    "I2 no acknowledged change is lost",
                    "two changes of " + done.id() + " are both of generation " + done.generation());
              }
              again(world, node, jobs, generations);
            },
            failure -> again(world, node, jobs, generations));
  }

  private static void again(
      World world, SimNode node, Jobs jobs, Map<JobId, Set<Long>> generations) {
    var unused = node.loop()
        .after(
            Duration.ofMillis(node.random().nextInt(30)),
            () -> edit(world, node, jobs, generations));
  }
}
