package io.belfry.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.store.Change;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Feed;
import io.belfry.store.Key;
import io.belfry.store.Lease;
import io.belfry.store.MemoryStore;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Space;
import io.belfry.store.Store;
import io.belfry.store.Watch;
import io.belfry.store.Watcher;
import io.belfry.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Without faults the simulated store and the specification answer every question alike. */
class SpecificationTest {
  private static final Space SPACE = Space.plain("w").inOrder().watchedTogether();
  private static final Duration TTL = Duration.ofMinutes(9);

  private final List<String> heardFromOne = new ArrayList<>();
  private final List<String> heardFromOther = new ArrayList<>();

  @ParameterizedTest
  @EnumSource
  void they_agree_about_everything(EngineMode mode) {
    for (long seed = 1; seed <= 100; seed++) {
      heardFromOne.clear();
      heardFromOther.clear();
      compare(mode, seed);
    }
  }

  private void compare(EngineMode mode, long seed) {
    var world = new World(seed);
    var engine = new SimEngine(world, mode, EnumSet.noneOf(Sabotage.class));
    var simulated =
        new SimStore(new SimNode(world, "n", 1, Duration.ZERO), engine, new Link(world));
    var time = new ManualTime(SimTime.BEGINNING);
    var memory = new MemoryStore(time, Runnable::run);
    RandomGenerator random = new SplittableRandom(seed);
    memory.watch(Feed.of(SPACE), Watch.NOW, note(heardFromOne));
    simulated.watch(Feed.of(SPACE), Watch.NOW, note(heardFromOther));
    pass(world, Duration.ofSeconds(1));
    int leases = 0;
    for (int i = 0; i < 120; i++) {
      String where = mode + ", seed " + seed + ", question " + i;
      Function<Store, CompletionStage<?>> question = question(random, leases);
      leases += answer(world, question, memory, simulated, where) instanceof Lease ? 1 : 0;
      if (random.nextInt(40) == 0) {
        // Leases that run out together end in no particular order, so only the last one does.
        for (int lease = 1; lease < leases; lease++) {
          long ended = lease;
          answer(world, store -> store.revoke(ended), memory, simulated, where);
        }
        time.advance(TTL.plusSeconds(1));
        memory.tick();
        pass(world, TTL.plusSeconds(1));
      }
    }
    pass(world, Duration.ofSeconds(2));
    assertThat(heardFromOther)
        .as("what watchers heard, seed %d", seed)
        .isEqualTo(heardFromOne)
        .isNotEmpty();
  }

  private static Object answer(
      World world,
      Function<Store, CompletionStage<?>> question,
      Store memory,
      Store simulated,
      String where) {
    Object expected = show(question.apply(memory).toCompletableFuture().join());
    CompletableFuture<?> answer = question.apply(simulated).toCompletableFuture();
    for (int i = 0; i < 100 && !answer.isDone(); i++) {
      pass(world, Duration.ofMillis(20));
    }
    assertThat(answer).as(where).isDone();
    assertThat(show(answer.join())).as(where).isEqualTo(expected);
    return answer.join() == null ? "" : answer.join();
  }

  private static Function<Store, CompletionStage<?>> question(RandomGenerator random, int leases) {
    int kind = random.nextInt(12);
    Key key = key(random);
    long lease = 1L + random.nextInt(leases + 1);
    int limit = 1 + random.nextInt(4);
    if (kind < 7) {
      Commit commit = commit(random, leases);
      return store -> store.commit(commit);
    }
    return switch (kind) {
      case 7 -> store -> store.get(List.of(key, Key.of(SPACE, "k0")));
      case 8 -> store -> store.scan(Scan.all(SPACE).limit(limit));
      case 9 -> store -> store.grant(TTL);
      case 10 -> store -> store.renew(lease);
      default -> store -> store.revoke(lease);
    };
  }

  private static Key key(RandomGenerator random) {
    return Key.of(SPACE, "k" + random.nextInt(6));
  }

  /** Guards by revisions that often hold: a small data set whose counter both sides share. */
  private static Commit commit(RandomGenerator random, int leases) {
    var commit = Commit.when();
    Key guarded = key(random);
    long revision = io.belfry.store.Revision.of(1, 1 + random.nextInt(40));
    switch (random.nextInt(5)) {
      case 0 -> commit.absent(guarded);
      case 1 -> commit.unchanged(guarded, revision);
      case 2 -> commit.holds(guarded, revision);
      default -> commit.absent(Key.of(SPACE, "nothing"));
    }
    Key first = key(random);
    Key second = key(random);
    long lease = random.nextInt(3) == 0 ? random.nextInt(leases + 2) : Lease.NONE;
    commit.put(first, Integer.toString(random.nextInt(100)).getBytes(UTF_8), lease);
    if (!second.equals(first)) {
      commit.delete(second);
    }
    return commit.build();
  }

  private static String show(Object answer) {
    return switch (answer) {
      case null -> "nothing";
      case List<?> entries ->
        entries.stream().map(SpecificationTest::show).toList().toString();
      case Entry entry ->
        entry.key() + "=" + new String(entry.value(), UTF_8) + "@" + entry.revision();
      case Page page ->
        show(page.entries()) + " at " + page.revision() + ", more "
            + page.next().isPresent();
      default -> answer.toString();
    };
  }

  private static Watcher note(List<String> heard) {
    return new Watcher() {
      @Override
      public void changed(long revision, List<Change> changes) {
        var words = new ArrayList<String>();
        for (Change change : changes) {
          words.add(
              change instanceof Change.Put(Entry entry) ? show(entry) : change.key() + " deleted");
        }
        heard.add(revision + " " + words);
      }

      @Override
      public void compacted() {
        heard.add("compacted");
      }
    };
  }

  private static void pass(World world, Duration time) {
    world.runUntil(Duration.ofNanos(world.now()).plus(time));
  }
}
