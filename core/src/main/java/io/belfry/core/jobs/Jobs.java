package io.belfry.core.jobs;

import io.belfry.core.commit.PendingCallers;
import io.belfry.core.commit.RetryingCommitter;
import io.belfry.core.fire.Edited;
import io.belfry.core.fire.FirePlan;
import io.belfry.core.fire.LookLimit;
import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.Cursor;
import io.belfry.core.record.Records;
import io.belfry.core.submit.NamespaceEndMark;
import io.belfry.core.submit.NamespaceEndedException;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.job.JobVersion;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Guard;
import io.belfry.store.Key;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Reads and changes job definitions on any node.
 *
 * <p>Threading: every method from any thread; changes are decided on the loop.
 */
public final class Jobs {
  private static final int TRIES_MAX = 20;

  private final Loop loop;
  private final Store store;
  private final PendingCallers callers = new PendingCallers();
  private final JobDependencies ties;
  private final Versions versions;
  private final Supported supported;
  private boolean stopped;

  public Jobs(Loop loop, Store store) {
    this(loop, store, new Supported(Optional.empty()));
  }

  /**
   * As above.
   *
   * @param supported refuses jobs with unsupported fields
   */
  public Jobs(Loop loop, Store store, Supported supported) {
    this.supported = supported;
    this.loop = loop;
    this.store = store;
    this.ties = new JobDependencies(store);
    this.versions = new Versions(store);
  }

  /** The stored records of one job. */
  private record Current(
      Optional<Entry> definition,
      Optional<Entry> cursor,
      Optional<Entry> deletedCursor,
      Optional<Entry> forgotten) {

    Optional<Job> job() {
      return definition.map(entry -> Records.job(entry.value()));
    }

    /** The last cursor of a deleted job with the same id. */
    Optional<Cursor> buried() {
      return deletedCursor.map(entry -> Records.cursor(entry.value()));
    }

    long generation() {
      return job().map(Job::generation).orElse(0L);
    }

    /** The generation after which a new job counts: that of the deleted job of its id, or the highest of all purged jobs. */
    long generationBefore() {
      return buried()
          .or(() -> forgotten.map(entry -> Records.cursor(entry.value())))
          .map(Cursor::generation)
          .orElse(0L);
    }
  }

  /** A requested change of a job. */
  private sealed interface Wish {
    record Nothing() implements Wish {}

    record Save(Job job) implements Wish {}

    record Delete() implements Wish {}
  }

  /** A requested change, and its result once it is committed. */
  private record Intent<T>(Wish wish, Function<Optional<Job>, T> answer) {}

  /** Creates or replaces the job. */
  public CompletionStage<Job> put(Job job) {
    return put(job, OptionalLong.empty());
  }

  /**
   * Saves the job if it is of this generation; 0 means that it must not exist.
   *
   * @throws io.belfry.model.InvalidException in the stage, if the job can never fire, or names a job or a calendar that it cannot
   *     depend on
   */
  public CompletionStage<Job> put(Job job, OptionalLong generation) {
    return change(job.id(), current -> {
      requireGeneration(job.id(), generation, current);
      supported.check(job);
      return new Intent<>(new Wish.Save(job), Optional::orElseThrow);
    });
  }

  /** Everything read for a preview of fire times. The caller computes them. */
  public final class Preview {
    private final Job job;
    private final Current current;
    private final JobDependencies.Tied tied;

    private Preview(Job job, Current current, JobDependencies.Tied tied) {
      this.job = job;
      this.current = current;
      this.tied = tied;
    }

    /**
     * When the job would fire next if it were saved and enabled now. This may take a second, and must run on the caller's thread.
     *
     * @throws io.belfry.model.InvalidException if it could not be saved, or fires too rarely to compute its fires
     */
    public List<Instant> coming(int count) {
      var limit = new PreviewLimit(loop.time());
      Job saved =
          save(job, current, tied, limit).job.orElseThrow().edit().enabled(true).build();
      return FirePlan.of(saved, tied.calendars().after(), limit)
          .coming(loop.time().wall(), count);
    }
  }

  /**
   * Reads what is needed to preview when the job would fire if it were saved and enabled now. Validates as for saving, and saves nothing.
   * None of it runs on the loop, which has more urgent work.
   *
   * @throws io.belfry.model.InvalidException in the stage, if it could not be saved
   */
  public CompletionStage<Preview> preview(Job job) {
    return read(job.id()).thenCompose(found -> {
      Current current = current(job.id(), found);
      supported.check(job);
      return ties.of(job.id(), current.job(), Optional.of(job))
          .thenApply(tied -> new Preview(job, current, tied));
    });
  }

  private CompletionStage<List<Entry>> read(JobId id) {
    return store.get(List.of(Keys.job(id), Keys.cursor(id), Keys.buried(id), Keys.FORGOTTEN_JOBS));
  }

  private static void requireGeneration(JobId id, OptionalLong expected, Current current) {
    if (expected.isPresent() && expected.getAsLong() != current.generation()) {
      throw new StaleException(id, expected.getAsLong(), current.generation());
    }
  }

  /** The last definitions of the job, newest first; for a deleted job for a month. */
  public CompletionStage<List<Job>> versions(JobId id) {
    return versions.read(id);
  }

  /**
   * Saves the definition of that generation again, as a new generation; also for a deleted job.
   *
   * @throws io.belfry.model.InvalidException in the stage, if that generation is no longer stored, or can no longer be saved
   */
  public CompletionStage<Job> restore(JobId id, long generation) {
    return versions.find(id, generation).thenCompose(this::put);
  }

  /** Enables or disables a job; empty if it does not exist. */
  public CompletionStage<Optional<Job>> enable(JobId id, boolean enabled) {
    return change(id, current -> {
      Optional<Job> before = current.job();
      if (before.isEmpty() || before.get().enabled() == enabled) {
        return new Intent<>(new Wish.Nothing(), unused -> before);
      }
      Job job = before.get().edit().enabled(enabled).build();
      return new Intent<>(new Wish.Save(job), saved -> saved);
    });
  }

  /**
   * Deletes the job; its tasks continue. False if it did not exist.
   *
   * @throws io.belfry.model.InvalidException in the stage, if other jobs run after it
   */
  public CompletionStage<Boolean> delete(JobId id) {
    return delete(id, OptionalLong.empty());
  }

  /**
   * As above, if the job is of this generation.
   *
   * @throws StaleException in the stage, if it is of another generation, or gone
   */
  public CompletionStage<Boolean> delete(JobId id, OptionalLong generation) {
    return change(id, current -> {
      requireGeneration(id, generation, current);
      if (current.definition.isEmpty() || current.cursor.isEmpty()) {
        return new Intent<>(new Wish.Nothing(), unused -> false);
      }
      return new Intent<>(new Wish.Delete(), unused -> true);
    });
  }

  private Commit.Builder delete(JobId id, Current current) {
    Entry cursor = current.cursor.orElseThrow();
    Commit.Builder commit = Commit.when()
        .unchanged(current.definition.orElseThrow())
        .unchanged(cursor)
        .delete(Keys.job(id))
        .delete(Keys.cursor(id))
        .put(Keys.buried(id), cursor.value());
    Versions.bury(commit, id, current.generation(), loop.time().wall());
    return commit;
  }

  public CompletionStage<Optional<Job>> get(JobId id) {
    return store
        .get(List.of(Keys.job(id)))
        .thenApply(found -> found.stream().findFirst().map(entry -> Records.job(entry.value())));
  }

  /** Retries no change any more; the callers that wait for one get a failure. */
  public void stop() {
    stopped = true;
    callers.end();
  }

  /** A commit, and the job after it. */
  private record Change(Commit.Builder commit, Optional<Job> job) {}

  private Change save(Job job, Current current, JobDependencies.Tied tied, LookLimit looks) {
    Instant now = loop.time().wall();
    Optional<Job> before = current.job();
    Job saved = job.edit().saved(saved(before, current, now)).build();
    CalendarDependencies.Found calendars = tied.calendars();
    FirePlan plan = FirePlan.of(saved, calendars.after(), looks);
    Optional<FirePlan> old = before.map(was -> FirePlan.of(was, calendars.before(), looks));
    if (mayBeMeantToFire(saved, plan, before, old)) {
      plan.requireFires(now);
    }
    Commit.Builder commit = Commit.when();
    Cursor cursor;
    if (before.isPresent() && current.cursor.isPresent()) {
      commit.unchanged(current.definition.orElseThrow()).unchanged(current.cursor.get());
      Cursor stored = Records.cursor(current.cursor.get().value());
      // The leader may not have planned it anew yet: instants that the calendar change has brought
      // are not lost.
      Cursor reached =
          calendars.changed().map(at -> old.orElseThrow().replanned(stored, at)).orElse(stored);
      Edited edited = plan.edited(old.orElseThrow(), reached, now);
      edited
          .skipped()
          .ifPresent(range -> commit.put(Keys.skip(job.id(), range.from()), Records.encode(range)));
      cursor = edited.cursor();
    } else {
      commit.absent(Keys.job(job.id())).absent(Keys.cursor(job.id()));
      // Instants that a job of the same id fired are not fired again, even if our clock is behind
      // the one that fired them.
      current.deletedCursor.ifPresentOrElse(
          commit::unchanged, () -> commit.absent(Keys.buried(job.id())));
      current.forgotten.ifPresentOrElse(
          commit::unchanged, () -> commit.absent(Keys.FORGOTTEN_JOBS));
      NamespaceEndMark.unlessEnded(commit);
      Optional<Instant> last = current.buried().flatMap(Cursor::last);
      Cursor first = plan.first(last.filter(at -> at.isAfter(now)).orElse(now));
      cursor = new Cursor(first.generation(), first.active(), first.next(), last, Optional.empty());
    }
    byte[] definition = Records.encode(saved);
    commit.put(Keys.job(job.id()), definition).put(Keys.cursor(job.id()), Records.encode(cursor));
    Versions.add(commit, saved, definition);
    tied.addTo(commit);
    return new Change(commit, Optional.of(saved));
  }

  /** Whether the job must have a future fire time: one without can still be disabled or described. */
  private static boolean mayBeMeantToFire(
      Job saved, FirePlan plan, Optional<Job> before, Optional<FirePlan> old) {
    boolean sameTimes = old.filter(plan::hasTimesOf).isPresent();
    boolean switchedOn = saved.enabled() && !before.map(Job::enabled).orElse(false);
    return !sameTimes || switchedOn;
  }

  private static JobVersion saved(Optional<Job> before, Current current, Instant now) {
    return before
        .flatMap(Job::saved)
        .map(saved -> saved.again(now))
        .orElseGet(() -> JobVersion.created(current.generationBefore() + 1, now));
  }

  private <T> CompletionStage<T> change(JobId id, Function<Current, Intent<T>> decide) {
    CompletableFuture<T> caller = callers.enter();
    PendingCallers.post(loop, caller, () -> attempt(id, decide, caller, TRIES_MAX));
    return caller;
  }

  private <T> void attempt(
      JobId id, Function<Current, Intent<T>> decide, CompletableFuture<T> caller, int tries) {
    if (stopped) {
      return;
    }
    hear(read(id), caller, found -> {
      Current current = current(id, found);
      Intent<T> intent = decide.apply(current);
      Runnable again = () -> attempt(id, decide, caller, tries - 1);
      switch (intent.wish) {
        case Wish.Nothing unused -> caller.complete(intent.answer.apply(Optional.empty()));
        case Wish.Save(Job job) ->
          hear(
              ties.of(id, current.job(), Optional.of(job)),
              caller,
              tied -> commit(
                  id, save(job, current, tied, LookLimit.UNCOUNTED), intent, caller, tries, again));
        case Wish.Delete unused ->
          hear(ties.of(id, current.job(), Optional.empty()), caller, tied -> {
            Commit.Builder commit = delete(id, current);
            tied.addTo(commit);
            commit(id, new Change(commit, Optional.empty()), intent, caller, tries, again);
          });
      }
    });
  }

  private <A> void hear(
      CompletionStage<A> question, CompletableFuture<?> caller, Consumer<A> answer) {
    PendingCallers.hear(loop, question, caller, answer);
  }

  private static Current current(JobId id, List<Entry> found) {
    return new Current(
        find(found, Keys.job(id)),
        find(found, Keys.cursor(id)),
        find(found, Keys.buried(id)),
        find(found, Keys.FORGOTTEN_JOBS));
  }

  private static Optional<Entry> find(List<Entry> found, Key key) {
    return found.stream().filter(entry -> entry.key().equals(key)).findFirst();
  }

  private <T> void commit(
      JobId id,
      Change change,
      Intent<T> intent,
      CompletableFuture<T> caller,
      int tries,
      Runnable again) {
    callers.sent(caller);
    RetryingCommitter.impatient(loop, store, () -> !stopped, caller::completeExceptionally)
        .commit(change.commit.build(), settled -> {
          if (settled.outcome() instanceof Outcome.Done) {
            caller.complete(intent.answer.apply(change.job));
          } else if (settled.afterUnknown()) {
            caller.completeExceptionally(new StoreException.Unknown(
                "The change of job " + id
                    + " may have been made: the store's answer was lost, and the job has changed since. Read it again.",
                null));
          } else if (settled.outcome() instanceof Outcome.Refused(Guard guard, long found)
              && NamespaceEndMark.isRefusedBy(guard)) {
            caller.completeExceptionally(new NamespaceEndedException());
          } else if (tries == 0) {
            caller.completeExceptionally(new StoreException.Overloaded(
                "Other clients change job " + id + " too fast for this change. Try again later."));
          } else {
            again.run();
          }
        });
  }
}
