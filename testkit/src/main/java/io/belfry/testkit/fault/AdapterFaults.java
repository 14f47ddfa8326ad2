package io.belfry.testkit.fault;

import static io.belfry.testkit.contract.Subject.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Feed;
import io.belfry.store.Key;
import io.belfry.store.Lease;
import io.belfry.store.Outcome;
import io.belfry.store.Scan;
import io.belfry.store.Space;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import io.belfry.store.Watch;
import io.belfry.testkit.engine.FaultProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * The test of an adapter on an unreliable network, one subclass per adapter. While connections are reset, closed, stalled and
 * swallowed at random byte offsets, every call completes by its deadline with a true outcome, and commits on a common key take effect in
 * the order in which they were submitted. Afterwards the store recovers by itself, and its watch has missed nothing.
 *
 * <p>{@code -Dbelfry.cuts=N} for a long run, {@code -Dbelfry.seed=N} for another sequence of faults.
 *
 * <p>Threading: the test's thread issues and checks, threads of the store complete.
 */
public abstract class AdapterFaults {
  private static final Space PLAIN = Space.plain("fp");
  private static final Space ORDERED = Space.plain("fo").inOrder();
  private static final Space WATCHED = Space.plain("fw").inOrder().watchedTogether();
  private static final List<Space> SPACES = List.of(PLAIN, ORDERED, WATCHED);

  private static final int IN_FLIGHT_MAX = 24;
  private static final int CUTS_PER_ROUND = 25;
  private static final int COMMITS_PER_ROUND_MAX = 4_000;
  private static final int REFUSED_EVERY = 100;
  private static final Duration LEASE = Duration.ofMinutes(10);

  /** Where the engine listens on loopback. */
  protected abstract int enginePort();

  /** Opens a client of the same data set through this port, with short timeouts. */
  protected abstract Store connectTo(int port);

  /** The time within which the store must complete every call. */
  protected abstract Duration callDeadline();

  /** A margin for a busy machine. */
  protected Duration slack() {
    return Duration.ofMillis(1500);
  }

  /** The time within which a commit must succeed again after the last cut. */
  protected Duration recovery() {
    return Duration.ofSeconds(15);
  }

  protected FaultProxy.Mix mix() {
    return FaultProxy.Mix.DEFAULT;
  }

  /** Makes the engine refuse requests and take them again at once, where it can be told to. */
  protected void refuseForAMoment() {}

  /** The number of cuts without {@code -Dbelfry.cuts}. */
  protected int cuts() {
    return 150;
  }

  @Test
  void every_call_completes_in_time_with_a_true_outcome_whatever_is_cut() {
    int wanted = Integer.getInteger("belfry.cuts", cuts());
    long seed = Long.getLong("belfry.seed", 1);
    try (FaultProxy proxy = FaultProxy.to(enginePort(), seed, mix());
        Store direct = connectTo(enginePort());
        Store tested = connectTo(proxy.port())) {
      var run = new Run(proxy, direct, tested, new SplittableRandom(seed));
      while (proxy.cuts() < wanted) {
        run.round(Math.min(wanted, proxy.cuts() + CUTS_PER_ROUND));
      }
      run.close();
    }
  }

  /** One store under test, for all rounds. */
  private final class Run {
    private final FaultProxy proxy;
    private final Store direct;
    private final Store tested;
    private final RandomGenerator random;
    private final Duration limit = callDeadline().plus(slack());
    private final FaultCalls calls = new FaultCalls(IN_FLIGHT_MAX, limit);
    private int commits;
    private FaultWatcher watcher = new FaultWatcher();
    private Watch watch;

    Run(FaultProxy proxy, Store direct, Store tested, RandomGenerator random) {
      this.proxy = proxy;
      this.direct = direct;
      this.tested = tested;
      this.random = random;
      this.watch = tested.watch(Feed.of(WATCHED), Watch.NOW, watcher);
      await("the watch opens").atMost(recovery()).until(watcher::isOpened);
    }

    void round(int cutsWanted) {
      long lease = answer(direct.grant(LEASE)).id();
      var written = new ArrayList<FaultCommit>();
      proxy.beginFaults();
      while (proxy.cuts() < cutsWanted) {
        calls.awaitRoom();
        issue(written, lease);
        assertThat(calls.violations()).isEmpty();
      }
      proxy.endFaults();
      calls.awaitAll();
      long last = recover();
      assertThat(calls.violations()).isEmpty();
      checkOutcomes(written);
      checkWatch(written, last);
      deleteAll(written);
      answer(direct.revoke(lease));
    }

    private void issue(List<FaultCommit> written, long lease) {
      if (random.nextInt(REFUSED_EVERY) == 0) {
        refuseForAMoment();
      }
      int kind = random.nextInt(100);
      if (kind < 60 && written.size() < COMMITS_PER_ROUND_MAX) {
        var one = new FaultCommit(++commits, SPACES, random);
        written.add(one);
        calls.follow(
            "commit " + commits,
            tested.commit(one.commit(random.nextInt(10) == 0 ? lease : Lease.NONE)),
            one::ended,
            one::failed);
      } else if (kind < 80 && !written.isEmpty()) {
        get(written.get(random.nextInt(written.size())));
      } else if (kind < 85) {
        calls.follow(
            "scan", tested.scan(Scan.all(ORDERED).limit(20)), page -> {}, this::onlyStoreFailures);
      } else {
        calls.follow(
            "renew",
            tested.renew(lease),
            renewed -> {
              if (!renewed) {
                calls.violated("a lease of " + LEASE + " that was renewed is reported as expired");
              }
            },
            this::onlyStoreFailures);
      }
    }

    private void get(FaultCommit one) {
      boolean mustBeThere = one.isDone();
      calls.follow(
          "get",
          tested.get(one.keys()),
          found -> {
            if (mustBeThere && found.size() != one.keys().size()) {
              calls.violated("a read misses keys of " + one);
            }
          },
          this::onlyStoreFailures);
    }

    private void onlyStoreFailures(Throwable failure) {
      if (!(failure instanceof StoreException)) {
        calls.violated("a call failed with " + failure);
      }
    }

    /** The revision of the first successful commit after the last cut. */
    private long recover() {
      return await("commits succeed again after the last cut")
                  .atMost(recovery())
                  .pollDelay(Duration.ZERO)
                  .pollInterval(Duration.ofMillis(20))
                  .ignoreExceptionsInstanceOf(StoreException.class)
                  .until(
                      () -> answer(tested.commit(Commit.when()
                          .put(Key.of(WATCHED, "recovered"), new byte[] {1})
                          .build())),
                      Outcome.Done.class::isInstance)
              instanceof Outcome.Done done
          ? done.revision()
          : 0;
    }

    private void checkOutcomes(List<FaultCommit> written) {
      var lies = new ArrayList<String>();
      for (int from = 0; from < written.size(); from += 50) {
        List<FaultCommit> some = written.subList(from, Math.min(written.size(), from + 50));
        Map<Key, byte[]> held = new HashMap<>();
        for (Entry entry : answer(
            direct.get(some.stream().flatMap(each -> each.keys().stream()).toList()))) {
          held.put(entry.key(), entry.value());
        }
        some.forEach(each -> each.lie(held).ifPresent(lies::add));
      }
      assertThat(lies).as("outcomes that are not true").isEmpty();
      assertThat(written.stream()
              .filter(each -> each.isInTurn() && each.isDone())
              .map(FaultCommit::revision))
          .as("steps of commits on a common key, in the order in which they were handed over")
          .isSorted();
    }

    /** Asserts that the watch delivered all commits, or told the watcher to scan again. */
    private void checkWatch(List<FaultCommit> written, long last) {
      await("the watch delivers the last commit, or a compaction event")
          .atMost(recovery())
          .pollInterval(Duration.ofMillis(10))
          .until(() -> watcher.hasHeard(last) || watcher.isOver());
      assertThat(watcher.violations()).isEmpty();
      if (watcher.isOver()) {
        watch.close();
        watcher = new FaultWatcher();
        watch = tested.watch(Feed.of(WATCHED), Watch.NOW, watcher);
        await("a new watch opens").atMost(recovery()).until(watcher::isOpened);
        return;
      }
      for (FaultCommit each : written) {
        if (each.isDone() && each.keys().stream().anyMatch(Feed.of(WATCHED)::covers)) {
          assertThat(watcher.hasHeard(each.revision()))
              .as("the watch delivered %s", each)
              .isTrue();
        }
      }
      watcher.forget();
    }

    private void deleteAll(List<FaultCommit> written) {
      for (FaultCommit each : written) {
        Commit.Builder commit = Commit.when();
        each.keys().forEach(commit::delete);
        calls.awaitRoom();
        calls.follow(
            "delete",
            direct.commit(commit.build()),
            done -> {},
            failure -> calls.violated("a delete without faults failed: " + failure));
      }
      calls.awaitAll();
      assertThat(calls.violations()).isEmpty();
    }

    void close() {
      watch.close();
    }
  }
}
