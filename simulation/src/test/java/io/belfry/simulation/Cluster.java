package io.belfry.simulation;

import io.belfry.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The machines of a world: each has a seat, on which one process after another runs, and a way to each engine.
 *
 * <p>Threading: confined to its world.
 */
final class Cluster {

  /** Builds and starts the actors of a process. Called once for each incarnation. */
  interface Boot {
    void boot(Booted process);
  }

  /** What a process has when it starts. */
  final class Booted {
    private final Seat seat;
    private final SimNode node;

    Booted(Seat seat, SimNode node) {
      this.seat = seat;
      this.node = node;
    }

    SimNode node() {
      return node;
    }

    /** A connection to the first engine. */
    Store store() {
      return store(engines.getFirst());
    }

    Store store(SimEngine engine) {
      return new SimStore(node, engine, seat.link(engine));
    }

    /** How the process ends when it is asked to: it says when it is done, and is gone then. */
    void onStop(Consumer<Runnable> orderly) {
      seat.orderly = orderly;
    }

    SimLauncher launcher(Script script) {
      return new SimLauncher(node, ledger, script);
    }
  }

  /** Where processes of one name run, one at a time. */
  final class Seat {
    private final String name;
    private final Boot boot;
    private final Map<SimEngine, Link> links = new LinkedHashMap<>();
    private int incarnations;
    private @Nullable SimNode node;
    private @Nullable Consumer<Runnable> orderly;

    Seat(String name, Boot boot) {
      this.name = name;
      this.boot = boot;
      engines.forEach(engine -> links.put(engine, new Link(world)));
    }

    String name() {
      return name;
    }

    Link link(SimEngine engine) {
      return Objects.requireNonNull(links.get(engine), "an engine of this cluster");
    }

    /** The process that runs here now. */
    Optional<SimNode> node() {
      return Optional.ofNullable(node).filter(SimNode::alive);
    }

    void start() {
      if (node().isPresent()) {
        return;
      }
      var fresh = new SimNode(
          world,
          name,
          ++incarnations,
          Duration.ofMillis(random.nextInt(-200, 201)),
          random.nextInt(-driftPerMilleMax, driftPerMilleMax + 1));
      node = fresh;
      ever.put(fresh.id(), fresh);
      orderly = null;
      world.note(fresh.id(), "starts", "");
      boot.boot(new Booted(this, fresh));
    }

    /** As by SIGTERM: the process ends as it has been told to end, and only if it was told. */
    void stop(Runnable gone) {
      Consumer<Runnable> how = orderly;
      if (how != null) {
        orderly = null;
        node()
            .ifPresent(running -> running.arrive(() -> how.accept(() -> {
              if (running.alive()) {
                running.exit();
                embedded().forEach(SimEngine::restart);
                gone.run();
              }
            })));
      }
    }

    void crash() {
      node().ifPresent(running -> {
        running.crash();
        embedded().forEach(SimEngine::restart);
      });
    }

    /** An embedded engine stands still with the process that it is in. */
    void pause(Duration length) {
      node().ifPresent(running -> {
        running.pause(length);
        embedded().forEach(engine -> engine.pause(length));
      });
    }
  }

  private final World world;
  private final Ledger ledger;
  private final List<SimEngine> engines;
  private final List<Seat> seats = new ArrayList<>();
  private final Map<String, SimNode> ever = new HashMap<>();
  private final RandomGenerator random;
  private int driftPerMilleMax = SimTime.DRIFT_PER_MILLE_MAX;

  Cluster(World world, Ledger ledger, List<SimEngine> engines) {
    this.world = world;
    this.ledger = ledger;
    this.engines = List.copyOf(engines);
    this.random = world.dice();
  }

  /** From now on processes start with stopwatches that go right. */
  void withSteadyStopwatches() {
    driftPerMilleMax = 0;
  }

  List<SimEngine> engines() {
    return engines;
  }

  private List<SimEngine> embedded() {
    return engines.stream().filter(engine -> engine.mode() == EngineMode.PLAIN).toList();
  }

  List<Seat> seats() {
    return seats;
  }

  /** The process of this id, if it still runs. */
  Optional<SimNode> running(String id) {
    for (Seat seat : seats) {
      if (seat.node().filter(node -> node.id().equals(id)).isPresent()) {
        return seat.node();
      }
    }
    return Optional.empty();
  }

  /** The process of this id, even if it is gone. */
  Optional<SimNode> ever(String id) {
    return Optional.ofNullable(ever.get(id));
  }

  /** How long this process has been running with nothing wrong with it, with an engine, or with the ways between. */
  Duration calm(String id) {
    long trouble = Long.MIN_VALUE / 2;
    for (Seat seat : seats) {
      if (seat.node == null || !seat.node.id().equals(id)) {
        continue;
      }
      if (seat.node.paused()) {
        return Duration.ZERO;
      }
      trouble = Math.max(trouble, seat.node.resumedAt());
      for (Link link : seat.links.values()) {
        trouble = Math.max(trouble, link.troubledAt());
      }
    }
    for (SimEngine engine : engines) {
      trouble = Math.max(trouble, engine.troubledAt());
    }
    return Duration.ofNanos(world.now() - trouble);
  }

  /** Whether this process is on a machine from which every engine can be reached. */
  boolean reachesAll(SimNode node) {
    return engines.stream().noneMatch(SimEngine::away)
        && seats.stream()
            .filter(seat -> seat.node == node)
            .noneMatch(seat -> seat.links.values().stream().anyMatch(Link::isCut));
  }

  /** A machine whose process starts within the first second. */
  Seat add(String name, Boot boot) {
    var seat = new Seat(name, boot);
    seats.add(seat);
    world.in(random.nextInt(1_000_000_000), seat::start);
    return seat;
  }

  /** The end of all trouble: ways are whole, clocks right, every process runs. */
  void heal() {
    world.note("world", "heals", "");
    for (Seat seat : seats) {
      for (Link link : seat.links.values()) {
        link.lossy(0);
        link.slow(Duration.ZERO);
        link.heal();
      }
      seat.start();
      seat.node().ifPresent(running -> running.time().setRight());
    }
  }
}
