package io.belfry.tests.witness;

import io.belfry.core.keys.Keys;
import io.belfry.core.record.Records;
import io.belfry.model.job.Job;
import io.belfry.model.job.Limit;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.store.Change;
import io.belfry.store.Commit;
import io.belfry.store.DelegatingStore;
import io.belfry.store.Entry;
import io.belfry.store.Feed;
import io.belfry.store.Guard;
import io.belfry.store.Key;
import io.belfry.store.Outcome;
import io.belfry.store.Space;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import io.belfry.store.Watch;
import io.belfry.store.Watcher;
import io.belfry.store.Write;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** A store as a core with a bug would use it. Threading: as the store's. */
final class FlawedStore extends DelegatingStore {
  /** Between the two halves of what must be one step. Longer than from fire to fire: whoever is killed while it fires is killed in it. */
  private static final long BETWEEN_MILLIS = 2_000;
  /** The same for a rescue, which is rare: from one kill to the next. */
  private static final long RESCUE_MILLIS = 5_000;

  private final Flaw flaw;

  FlawedStore(Store store, Flaw flaw) {
    super(store);
    this.flaw = flaw;
  }

  @Override
  public CompletionStage<Outcome> commit(Commit commit) {
    boolean fires = writes(commit, Keys.CURSORS) && writes(commit, Keys.TASKS);
    boolean leads = commit.writes().stream().anyMatch(write -> write.key().equals(Keys.LEADER));
    boolean reports = writes(commit, Keys.REPORTS);
    return switch (flaw) {
      case BLIND_LEADER ->
        store.commit(without(commit, guard -> fires || leads || guard instanceof Guard.Holds));
      case BLIND_WORKER ->
        store.commit(without(commit, guard -> reports && guard.key().space().equals(Keys.TASKS)));
      case CURSOR_FIRST -> fires ? inTwoSteps(commit, Keys.TASKS) : store.commit(commit);
      case ACKNOWLEDGED_FIRST ->
        writes(commit, Keys.NEWS)
            ? later(BETWEEN_MILLIS, () -> store.commit(commit))
            : store.commit(commit);
      case FORGETFUL_KEYS ->
        store.commit(without(commit, guard -> guard.key().space().equals(Keys.DEDUP)));
      case BLIND_CLAIM ->
        store.commit(
            without(commit, guard -> claims(commit) && guard.key().space().equals(Keys.TASKS)));
      case RESCUE_IN_TWO_STEPS -> rescues(commit) ? takenFirst(commit) : store.commit(commit);
      default -> store.commit(commit);
    };
  }

  private static boolean claims(Commit commit) {
    return commit.writes().stream()
        .anyMatch(write ->
            write.key().space().equals(Keys.REPORTS) && write.key().text().endsWith("/claims"));
  }

  private static boolean writes(Commit commit, Space space) {
    return commit.writes().stream().anyMatch(write -> write.key().space().equals(space));
  }

  private static Commit without(Commit commit, Predicate<Guard> dropped) {
    return new Commit(commit.guards().stream().filter(dropped.negate()).toList(), commit.writes());
  }

  /** Everything but what lies in that space; then that. */
  private CompletionStage<Outcome> inTwoSteps(Commit commit, Space second) {
    var first = new ArrayList<Write>(commit.writes());
    first.removeIf(write -> write.key().space().equals(second));
    return twice(new Commit(commit.guards(), first), BETWEEN_MILLIS, commit);
  }

  /** Only what is guarded by a worker's absence takes anything from it. */
  private static boolean rescues(Commit commit) {
    return writes(commit, Keys.TASKS)
        && commit.guards().stream()
            .anyMatch(
                guard -> guard instanceof Guard.Absent && guard.key().space().equals(Keys.WORKERS));
  }

  private CompletionStage<Outcome> takenFirst(Commit commit) {
    List<Write> taken = commit.writes().stream()
        .filter(write -> write.key().space().equals(Keys.TASKS))
        .<Write>map(write -> new Write.Delete(write.key()))
        .toList();
    return twice(new Commit(commit.guards(), taken), RESCUE_MILLIS, commit);
  }

  private CompletionStage<Outcome> twice(Commit first, long pauseMillis, Commit whole) {
    return store
        .commit(first)
        .thenCompose(outcome -> outcome instanceof Outcome.Done
            // All of it, so that one revision is true.
            ? later(pauseMillis, () -> store.commit(new Commit(List.of(), whole.writes())))
            : CompletableFuture.completedStage(outcome));
  }

  private static CompletionStage<Outcome> later(
      long pauseMillis, Supplier<CompletionStage<Outcome>> commit) {
    var later = new CompletableFuture<Outcome>();
    CompletableFuture.delayedExecutor(pauseMillis, TimeUnit.MILLISECONDS)
        .execute(() -> commit.get().whenComplete((done, broke) -> {
          if (broke == null) {
            later.complete(done);
          } else {
            later.completeExceptionally(broke);
          }
        }));
    return later;
  }

  @Override
  public CompletionStage<List<Entry>> get(Collection<Key> keys) {
    return store.get(keys).thenApply(found -> found.stream().map(this::misread).toList());
  }

  private Entry misread(Entry entry) {
    boolean misreads = flaw == Flaw.NO_OVERLAP_POLICY || flaw == Flaw.NO_LIMITS;
    if (!misreads || !entry.key().space().equals(Keys.JOBS)) {
      return entry;
    }
    Job job = Records.job(entry.value());
    Job other = flaw == Flaw.NO_LIMITS
        ? job.edit().limit(Limit.NONE).build()
        : job.edit().overlap(OverlapPolicy.ALLOW).build();
    return new Entry(entry.key(), Records.encode(other), entry.revision());
  }

  @Override
  public CompletionStage<Boolean> renew(long lease) {
    return flaw == Flaw.LEAVING_UNRENEWED && Flaw.isLeaving()
        ? new CompletableFuture<>()
        : store.renew(lease);
  }

  @Override
  public Watch watch(Feed feed, long after, Watcher watcher) {
    boolean deaf = flaw == Flaw.DEAF_LEADER && feed.equals(Feed.of(Keys.WORKERS));
    return store.watch(feed, after, deaf ? new Deaf(watcher) : watcher);
  }

  /** Does not hear of anything that is gone. */
  private record Deaf(Watcher watcher) implements Watcher {
    @Override
    public void opened(long revision) {
      watcher.opened(revision);
    }

    @Override
    public void changed(long revision, List<Change> changes) {
      List<Change> heard = changes.stream().filter(Change.Put.class::isInstance).toList();
      if (!heard.isEmpty()) {
        watcher.changed(revision, heard);
      }
    }

    @Override
    public void compacted() {
      watcher.compacted();
    }

    @Override
    public void failed(StoreException cause) {
      watcher.failed(cause);
    }
  }
}
