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
      String name = run.killLeader(Duration.ZERO);
      run.pause(Duration.ofMillis(run.random().nextInt(2000)));
      run.fleet().start(name);
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
          ? run.leader().orElseGet(() -> run.any(run.fleet().workers()))
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
  /** A process cannot reach its engine, or all of them cannot: both ways, one way, by resets, or now and again. */
  F5 {
    @Override
    void strike(Run run) {
      List<Network.Cut> ways = List.of(Network.Cut.values());
      Network.Cut how = ways.get(run.random().nextInt(ways.size()));
      if (run.random().nextInt(5) == 0) {
        run.fleet().engineCutOff();
        separate(run, run.fleet().all(), how);
        run.fleet().engineBack();
        return;
      }
      String name = run.random().nextBoolean()
          ? run.leader().orElseGet(() -> run.any(run.fleet().all()))
          : run.any(run.fleet().all());
      run.fleet().cutOff(name);
      separate(run, List.of(name), how);
      run.fleet().mended(name);
    }

    private void separate(Run run, List<String> names, Network.Cut how) {
      int seconds = 2 + run.random().nextInt(11);
      for (int i = 0; i < seconds; i++) {
        if (how == Network.Cut.FLAPPING && i % 2 == 1) {
          names.forEach(run.network()::mend);
        } else {
          names.forEach(name -> run.network().cut(name, how));
        }
        run.pause(Duration.ofSeconds(1));
      }
      names.forEach(run.network()::mend);
    }

    @Override
    boolean needsProxies() {
      return true;
    }
  },
  /** Members of etcd are killed one after the other, each back before the next. */
  F6 {
    @Override
    void strike(Run run) {
      run.engine().etcd().ifPresent(etcd -> {
        run.fleet().engineAway();
        for (int i = 0; i < 3; i++) {
          var member = etcd.member(i).process();
          member.kill();
          run.pause(Duration.ofMillis(1000 + run.random().nextInt(3000)));
          member.start();
          run.pause(Duration.ofSeconds(3));
        }
        run.fleet().engineBack();
      });
    }

    @Override
    boolean strikes(String engine, boolean servers) {
      return engine.equals("etcd") || engine.equals("mixed");
    }

    @Override
    boolean isUsual(boolean servers) {
      return servers;
    }
  },
  /** The Redis primary is killed, or cut off from its replicas and Sentinels, until another is promoted. */
  F7 {
    @Override
    void strike(Run run) {
      run.engine().redis().ifPresent(redis -> {
        run.fleet().engineAway();
        new Primary(redis).lose(run);
        run.fleet().engineBack();
      });
    }

    @Override
    boolean strikes(String engine, boolean servers) {
      return engine.equals("redis") || engine.equals("mixed");
    }

    @Override
    boolean isUsual(boolean servers) {
      return servers;
    }
  },
  /** The process of an embedded store is killed anywhere, also while it starts and recovers, several times in a row. */
  F8 {
    @Override
    void strike(Run run) {
      String name = run.fleet().all().getFirst();
      for (int i = 0; i < 4; i++) {
        run.fleet().kill(name);
        run.fleet().startWithoutWaiting(name);
        run.pause(Duration.ofMillis(200 + run.random().nextInt(3000)));
      }
      run.fleet().kill(name);
      run.fleet().start(name);
    }

    @Override
    boolean strikes(String engine, boolean servers) {
      return engine.equals("embedded");
    }
  },
  /** A scheduler's calendar is set by minutes or an hour, and set right again. */
  F10 {
    @Override
    void strike(Run run) {
      String name = run.random().nextBoolean()
          ? run.leader().orElseGet(() -> run.any(run.fleet().schedulers()))
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

    @Override
    boolean strikes(String engine, boolean servers) {
      return !servers; // a server's clock is its machine's
    }
  },
  /** The engine is slow for all: each answer takes 50, 200 or 1,000 ms longer; or none comes for five seconds. */
  F11 {
    @Override
    void strike(Run run) {
      int delayMillis = List.of(50, 200, 1000, 0).get(run.random().nextInt(4));
      if (delayMillis == 0) {
        run.fleet().engineAway();
        run.network().forAll(link -> link.hold(true, true));
        run.pause(Duration.ofSeconds(5));
      } else if (delayMillis == 1000) {
        run.fleet().engineAway();
        run.network().forAll(link -> link.delayAnswers(Duration.ofMillis(delayMillis)));
        run.pause(Duration.ofSeconds(10));
      } else {
        run.fleet().engineSlow();
        run.network().forAll(link -> link.delayAnswers(Duration.ofMillis(delayMillis)));
        run.pause(Duration.ofSeconds(10));
      }
      run.network().forAll(NodeLink::mend);
      run.fleet().engineBack();
    }

    @Override
    boolean needsProxies() {
      return true;
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
        String name = run.killLeader(Duration.ofMillis(run.random().nextInt(2000)));
        run.fleet().start(name);
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

    Engine engine();

    Network network();

    RandomGenerator random();

    Optional<String> leader();

    /**
     * Kills who leads, so long after it was seen to: a process that lives, and not one of the same name that led before.
     *
     * @return its name
     */
    String killLeader(Duration after);

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

  /** Whether it can befall processes on this engine: real servers, or the core alone. */
  boolean strikes(String engine, boolean servers) {
    return !needsProxies() || !engine.equals("embedded");
  }

  /** Whether it makes the time from giving a task out to its START longer, or changes the clock that is counted by. */
  boolean delaysDelivery() {
    return this == F10 || this == F11;
  }

  /** Whether it strikes at the way from processes to their engine. */
  boolean needsProxies() {
    return false;
  }

  /** Whether it is among those that strike when none are named. */
  boolean isUsual(boolean servers) {
    return !needsProxies();
  }
}
