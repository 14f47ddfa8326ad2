package io.belfry.core.jobs;

import io.belfry.core.calendar.Calendar;
import io.belfry.core.commit.Callers;
import io.belfry.core.commit.Settler;
import io.belfry.core.fire.Edited;
import io.belfry.core.fire.FirePlan;
import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.Cursor;
import io.belfry.core.record.Records;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Saved;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * One node's door for definitions of jobs.
 *
 * <p>Threading: every method from any thread; the work is done on the loop.
 */
public final class Jobs {
  private static final int TRIES_MAX = 20;

  private final Loop loop;
  private final Store store;
  private final Callers callers = new Callers();
  private boolean stopped;

  public Jobs(Loop loop, Store store) {
    this.loop = loop;
    this.store = store;
  }

  /** What stands in the store of one job. */
  private record Current(
      Optional<Entry> definition, Optional<Entry> cursor, Optional<Cursor> buried) {

    Optional<Job> job() {
      return definition.map(entry -> Records.job(entry.value()));
    }

    long generation() {
      return job().map(Job::generation).orElse(0L);
    }
  }

  /** What is to be committed; empty when nothing has to be. */
  private record Change<T>(Optional<Commit.Builder> commit, T answer) {}

  /** Saves the job, whatever stood there before. */
  public CompletionStage<Job> put(Job job) {
    return put(job, OptionalLong.empty());
  }

  /**
   * Saves the job if it is of this generation; 0 means that there must be none.
   *
   * @throws io.belfry.model.InvalidException in the stage, if the job can never fire
   */
  public CompletionStage<Job> put(Job job, OptionalLong generation) {
    return change(job.id(), current -> {
      if (generation.isPresent() && generation.getAsLong() != current.generation()) {
        throw new StaleException(job.id(), generation.getAsLong(), current.generation());
      }
      return save(job, current);
    });
  }

  /** Switches a job on or off; empty if there is none. */
  public CompletionStage<Optional<Job>> enable(JobId id, boolean enabled) {
    return change(id, current -> {
      Optional<Job> before = current.job();
      if (before.isEmpty() || before.get().enabled() == enabled) {
        return new Change<>(Optional.empty(), before);
      }
      Change<Job> change = save(before.get().edit().enabled(enabled).build(), current);
      return new Change<>(change.commit, Optional.of(change.answer));
    });
  }

  /** Takes the job out; its tasks go on. False if there was none. */
  public CompletionStage<Boolean> delete(JobId id) {
    return change(id, current -> {
      if (current.definition.isEmpty() || current.cursor.isEmpty()) {
        return new Change<>(Optional.empty(), false);
      }
      Commit.Builder commit = Commit.when()
          .unchanged(current.definition.get())
          .unchanged(current.cursor.get())
          .delete(Keys.job(id))
          .delete(Keys.cursor(id))
          .put(Keys.buried(id), current.cursor.get().value());
      return new Change<>(Optional.of(commit), true);
    });
  }

  public CompletionStage<Optional<Job>> get(JobId id) {
    return store
        .get(List.of(Keys.job(id)))
        .thenApply(found -> found.stream().findFirst().map(entry -> Records.job(entry.value())));
  }

  /** No change is tried again from here on, and whoever waits for one is told. */
  public void stop() {
    stopped = true;
    callers.end();
  }

  private Change<Job> save(Job job, Current current) {
    Instant now = loop.time().wall();
    Optional<Job> before = current.job();
    Job saved = job.edit().saved(saved(before, current.buried, now)).build();
    FirePlan plan = plan(saved);
    plan.requireFires(now);
    Commit.Builder commit = Commit.when();
    Cursor cursor;
    if (before.isPresent() && current.cursor.isPresent()) {
      commit.unchanged(current.definition.orElseThrow()).unchanged(current.cursor.get());
      Edited edited =
          plan.edited(plan(before.get()), Records.cursor(current.cursor.get().value()), now);
      edited
          .skipped()
          .ifPresent(range -> commit.put(Keys.skip(job.id(), range.from()), Records.encode(range)));
      cursor = edited.cursor();
    } else {
      commit.absent(Keys.job(job.id())).absent(Keys.cursor(job.id()));
      // What a job of the same id had fired stays fired, even if our clock is behind the one that
      // fired it.
      Optional<Instant> last = current.buried.flatMap(Cursor::last);
      Cursor first = plan.first(last.filter(at -> at.isAfter(now)).orElse(now));
      cursor = new Cursor(first.generation(), first.active(), first.next(), last, Optional.empty());
    }
    commit
        .put(Keys.job(job.id()), Records.encode(saved))
        .put(Keys.cursor(job.id()), Records.encode(cursor));
    return new Change<>(Optional.of(commit), saved);
  }

  private static FirePlan plan(Job job) {
    return FirePlan.of(job, Optional.<Calendar>empty());
  }

  private static Saved saved(Optional<Job> before, Optional<Cursor> buried, Instant now) {
    return before
        .flatMap(Job::saved)
        .map(saved -> saved.again(now))
        .orElseGet(() -> new Saved(buried.map(Cursor::generation).orElse(0L) + 1, now, now));
  }

  private <T> CompletionStage<T> change(JobId id, Function<Current, Change<T>> decide) {
    CompletableFuture<T> caller = callers.enter();
    loop.post(() -> attempt(id, decide, caller, TRIES_MAX));
    return caller;
  }

  private <T> void attempt(
      JobId id, Function<Current, Change<T>> decide, CompletableFuture<T> caller, int tries) {
    if (stopped) {
      return;
    }
    loop.hear(
        store.get(List.of(Keys.job(id), Keys.cursor(id), Keys.buried(id))),
        found -> {
          try {
            commit(id, decide, decide.apply(current(id, found)), caller, tries);
          } catch (RuntimeException refusal) {
            caller.completeExceptionally(refusal);
          }
        },
        caller::completeExceptionally);
  }

  private static Current current(JobId id, List<Entry> found) {
    return new Current(
        find(found, Keys.job(id)),
        find(found, Keys.cursor(id)),
        find(found, Keys.buried(id)).map(entry -> Records.cursor(entry.value())));
  }

  private static Optional<Entry> find(List<Entry> found, io.belfry.store.Key key) {
    return found.stream().filter(entry -> entry.key().equals(key)).findFirst();
  }

  private <T> void commit(
      JobId id,
      Function<Current, Change<T>> decide,
      Change<T> change,
      CompletableFuture<T> caller,
      int tries) {
    if (change.commit.isEmpty()) {
      caller.complete(change.answer);
      return;
    }
    callers.sent(caller);
    new Settler(loop, store, () -> !stopped, caller::completeExceptionally)
        .commit(change.commit.get().build(), settled -> {
          if (settled.outcome() instanceof Outcome.Done) {
            caller.complete(change.answer);
          } else if (settled.afterUnknown()) {
            caller.completeExceptionally(new StoreException.Unknown(
                "The change of job " + id
                    + " may have been made: the answer got lost, and the job has changed since. Read it again.",
                null));
          } else if (tries == 0) {
            caller.completeExceptionally(new StoreException.Overloaded("Job " + id
                + " is changed by others faster than this change can be made. Try again later."));
          } else {
            attempt(id, decide, caller, tries - 1);
          }
        });
  }
}
