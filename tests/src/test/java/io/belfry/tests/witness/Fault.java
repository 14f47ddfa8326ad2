package io.belfry.tests.witness;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** A way in which things go wrong; the numbers are those of the reliability document. Threading: stateless. */
enum Fault {
  /** The leader is killed. */
  F1 {
    @Override
    void strike(Run run) {
      run.awaitLeader().ifPresent(name -> {
        run.fleet().kill(name);
        run.pause(Duration.ofMillis(run.random().nextInt(2000)));
        run.fleet().start(name);
      });
    }
  },
  /** A worker is killed while it runs tasks. */
  F2 {
    @Override
    void strike(Run run) {
      String name = run.any(run.fleet().workers());
      run.fleet().kill(name);
      run.pause(Duration.ofMillis(run.random().nextInt(2000)));
      run.fleet().start(name);
    }
  },
  /** The leader or a worker stands still for three times its lease. */
  F3 {
    @Override
    void strike(Run run) {
      String name = run.random().nextBoolean()
          ? run.leader().orElse("w1")
          : run.any(run.fleet().workers());
      run.fleet().pause(name);
      run.pause(Duration.ofSeconds(12));
      run.fleet().resume(name);
    }
  },
  /** Every process is stopped in an orderly way and started again, one after the other. */
  F4 {
    @Override
    void strike(Run run) {
      for (String name : run.fleet().all()) {
        run.fleet().stop(name);
        run.fleet().start(name);
      }
    }
  },
  /** A scheduler's calendar is set by minutes or an hour, and set right again. */
  F10 {
    @Override
    void strike(Run run) {
      String name = run.random().nextBoolean()
          ? run.leader().orElse("s1")
          : run.any(run.fleet().schedulers());
      List<Duration> steps = List.of(
          Duration.ofHours(1), Duration.ofHours(-1), Duration.ofMinutes(5), Duration.ofMinutes(-5));
      Duration step = steps.get(run.random().nextInt(steps.size()));
      run.fleet().setClock(name, step.toMillis());
      // A node that is alone follows its own clock after five seconds, and fires by it.
      boolean followed = run.fleet().isLone() && step.isPositive();
      run.pause(followed ? Duration.ofSeconds(3) : Duration.ofSeconds(8));
      run.fleet().setClock(name, 0);
    }
  },
  /** Everything is down for a while in which fires are due. */
  F12 {
    @Override
    void strike(Run run) {
      run.fleet().all().forEach(run.fleet()::kill);
      run.pause(Duration.ofSeconds(15));
      run.fleet().start(run.fleet().all());
    }
  },
  /** The new leader is killed soon after it has won, five times in a row. */
  F14 {
    @Override
    void strike(Run run) {
      for (int i = 0; i < 5; i++) {
        Optional<String> leader = run.awaitLeader();
        run.pause(Duration.ofMillis(run.random().nextInt(2000)));
        leader.ifPresent(run.fleet()::kill);
        run.fleet().start(run.fleet().schedulers());
      }
    }
  },
  /** All nodes but two are killed at once, then one more; the last one must fire; then all come back. */
  NODES {
    @Override
    void strike(Run run) {
      List<String> left = new ArrayList<>(run.fleet().all());
      while (left.size() > 2) {
        run.fleet().kill(left.remove(run.random().nextInt(left.size())));
      }
      run.awaitFires();
      run.pause(Duration.ofMillis(run.random().nextInt(4000)));
      run.fleet().kill(left.remove(run.random().nextInt(left.size())));
      run.awaitFires();
      run.pause(Duration.ofMillis(run.random().nextInt(4000)));
      run.fleet().start(run.fleet().all());
    }

    @Override
    boolean appliesTo(Shape shape) {
      return shape.nodes() > 2;
    }
  };

  /** What a fault can do to a run. */
  interface Run {
    Fleet fleet();

    RandomGenerator random();

    Optional<String> leader();

    Optional<String> awaitLeader();

    /** Returns once something that became due from now on has begun. */
    void awaitFires();

    void pause(Duration length);

    default String any(List<String> names) {
      return names.get(random().nextInt(names.size()));
    }
  }

  abstract void strike(Run run);

  boolean appliesTo(Shape shape) {
    return true;
  }
}
