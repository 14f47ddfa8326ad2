package io.belfry.simulation;

import io.belfry.core.keys.Keys;
import io.belfry.core.leader.term.LeaderSettings;
import io.belfry.store.Key;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * I6 as a bound: what a dead worker held begins elsewhere within the lease, the engine's sweep and a moment for the leader, as long as one
 * leads and others have room; and what was on its way to a worker that left in order does not wait for any lease.
 *
 * <p>Threading: confined to its world.
 */
final class RestartLaw {
  private static final String LAW = "I6 a dead worker's tasks restart in time";
  private static final Duration LEASE = LeaderSettings.DEFAULT.workerLease();
  /** The engine's sweep of 0.3 s, and six messages, of which each may take 0.4 s. */
  static final Duration DEAD = LEASE.plusMillis(300).plusMillis(6 * 400);
  /** Another leader may have to be elected first. */
  static final Duration LEFT = Duration.ofMillis(3_500);

  /** From the due time of a retry to the commit that gives it out, by clocks that differ. */
  private static final Duration DISPATCH = Duration.ofMillis(1_500);

  private final World world;
  private final Simulation simulation;
  private final TakingLaw terms;

  RestartLaw(Simulation simulation, TakingLaw terms) {
    this.simulation = simulation;
    this.world = simulation.world();
    this.terms = terms;
  }

  /** The process of this worker is gone, and nobody said goodbye. */
  void crashed(String worker) {
    long at = world.now();
    List<Key> tasks = heldBy(worker);
    world.in(DEAD, () -> {
      // A later leader waits for a lease of its own.
      if (oneHasLedSince(at)) {
        check(tasks, worker, "died");
      }
    });
  }

  /** The worker said that it is done. */
  void left(String worker) {
    long at = world.now();
    List<Key> tasks = heldBy(worker);
    world.in(LEFT, () -> {
      if (oneHasLedSince(at)) {
        check(tasks, worker, "left in order");
      } else {
        requireFree(worker, tasks::contains);
        // What the last leader gave out later is the new one's, to whom a worker that left looks
        // like one that died.
        world.in(DEAD, () -> check(tasks, worker, "left in order"));
      }
    });
  }

  private boolean oneHasLedSince(long at) {
    Map<Key, EngineStep.Slot> slots = simulation.engine().state().slots();
    EngineStep.Slot fence = slots.get(Keys.FENCE);
    return terms.leadsSince() < at
        && fence != null
        && slots.containsKey(Keys.LEADER)
        && simulation
            .cluster()
            .running(CoreScenario.DECODER.term(fence.value()).leader())
            .isPresent();
  }

  private void requireFree(String worker, Predicate<Key> which) {
    List<Key> held = heldBy(worker).stream().filter(which).toList();
    if (!held.isEmpty()) {
      throw world.violation(
          LAW, held + " were held when " + worker + " left in order, and still are");
    }
  }

  private void check(List<Key> tasks, String worker, String how) {
    List<Key> held = heldBy(worker);
    if (!held.isEmpty()) {
      throw world.violation(LAW, held + " are still held by " + worker + ", which " + how);
    }
    tasks.stream().filter(this::waitsInVain).findFirst().ifPresent(task -> {
      throw world.violation(LAW, task + " of " + worker + ", which " + how + ", is not given out");
    });
  }

  private boolean waitsInVain(Key task) {
    EngineStep.Slot slot = simulation.engine().state().slots().get(task);
    return slot != null
        && CoreScenario.DECODER.holder(slot.value(), slot.revision()).isEmpty()
        && !CoreScenario.DECODER.waitsBeyond(
            slot.value(), SimTime.BEGINNING.plusNanos(world.now()).minus(DISPATCH));
  }

  private List<Key> heldBy(String worker) {
    var held = new ArrayList<Key>();
    for (Map.Entry<Key, EngineStep.Slot> each :
        simulation.engine().state().slots().entrySet()) {
      if (each.getKey().space().equals(Keys.TASKS)
          && CoreScenario.DECODER
              .holder(each.getValue().value(), each.getValue().revision())
              .filter(view -> view.worker().equals(worker))
              .isPresent()) {
        held.add(each.getKey());
      }
    }
    return held;
  }
}
