package io.belfry.core.jobs;

import io.belfry.core.fire.AfterPlan;
import io.belfry.core.keys.Keys;
import io.belfry.core.record.Records;
import io.belfry.model.Check;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Trigger;
import io.belfry.model.task.TaskId;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Store;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * The dependencies of a job: the job that it runs after, those that run after it, and its calendar. Reads the records that must guard
 * a change, and refuses invalid dependencies.
 *
 * <pre>
 *   load ──after──▶ transform ──after──▶ extract        one predecessor each: a walk upwards finds a cycle, or ends
 * </pre>
 *
 * <p>Every change of these dependencies rewrites one edition, which also guards it. So two concurrent changes that together would form a
 * cycle, or delete the predecessor of a job, cannot both succeed.
 *
 * <p>Threading: stateless.
 */
final class JobDependencies {
  /** As many as one commit of the leader can start. */
  static final int FOLLOWERS_MAX = 32;

  static final int CHAIN_MAX = 50;
  static final int NAMED_MAX = 5;
  private static final TaskId LONGEST =
      TaskId.fire(new JobId("x".repeat(JobId.MAX_CHARS)), Instant.EPOCH);

  private final Store store;
  private final CalendarDependencies calendars;

  JobDependencies(Store store) {
    this.store = store;
    this.calendars = new CalendarDependencies(store);
  }

  /**
   * The dependencies' part of the commit of a change.
   *
   * @param terms guards and writes for the order of jobs
   */
  record Tied(CalendarDependencies.Found calendars, List<Consumer<Commit.Builder>> terms) {

    void addTo(Commit.Builder commit) {
      calendars.addTo(commit);
      terms.forEach(term -> term.accept(commit));
    }
  }

  /**
   * The dependencies of a job that changes.
   *
   * @param before empty if it is new
   * @param after empty if it is deleted
   */
  CompletionStage<Tied> of(JobId id, Optional<Job> before, Optional<Job> after) {
    Optional<Trigger.After> old = before.flatMap(JobDependencies::trigger);
    Optional<Trigger.After> now = after.flatMap(JobDependencies::trigger);
    if (now.isPresent()) {
      requireRoom(before, after.orElseThrow());
    }
    List<Consumer<Commit.Builder>> terms = new ArrayList<>();
    CompletionStage<Boolean> read = CompletableFuture.completedStage(true);
    if (after.isEmpty() || !old.equals(now)) {
      // The edition is read first, because it guards everything that is read after it.
      read = get(Keys.AFTER_EDITION).thenCompose(edition -> {
        terms.add(commit -> {
          guard(commit, Keys.AFTER_EDITION, edition);
          if (!old.equals(now)) {
            commit.put(Keys.AFTER_EDITION, new byte[0]);
          }
        });
        old.filter(was -> now.isEmpty() || !now.get().job().equals(was.job()))
            .ifPresent(was -> terms.add(commit -> commit.delete(Keys.after(was.job(), id))));
        return after.isEmpty() ? unfollowed(id) : follow(id, now, terms);
      });
    }
    return read.thenCompose(unused -> calendars.of(id, before, after))
        .thenApply(found -> new Tied(found, terms));
  }

  /** Each of its tasks names its predecessor in the metadata: so that must fit, also when only the metadata change. */
  private static void requireRoom(Optional<Job> before, Job job) {
    boolean asBefore = before.isPresent()
        && before.get().trigger().equals(job.trigger())
        && before.get().work().equals(job.work());
    if (!asBefore) {
      var unusedRoom = AfterPlan.work(job.work(), LONGEST);
    }
  }

  private CompletionStage<Boolean> unfollowed(JobId id) {
    return store.scan(Keys.followers(id).limit(NAMED_MAX + 1)).thenApply(page -> {
      List<String> names = page.entries().stream()
          .map(entry -> entry.key().text().substring(id.value().length() + 1))
          .toList();
      Check.that(
          names.isEmpty(),
          "job",
          id.value(),
          "must not be deleted while other jobs run after it (" + some(names)
              + "), because they would never be started again",
          "Delete them first, or give them another trigger; or disable this job.");
      return true;
    });
  }

  static String some(List<String> names) {
    String first = String.join(", ", names.subList(0, Math.min(NAMED_MAX, names.size())));
    return names.size() > NAMED_MAX ? first + " and others" : first;
  }

  private CompletionStage<Boolean> follow(
      JobId id, Optional<Trigger.After> now, List<Consumer<Commit.Builder>> terms) {
    if (now.isEmpty()) {
      return CompletableFuture.completedStage(true);
    }
    Trigger.After trigger = now.get();
    terms.add(commit -> commit.put(Keys.after(trigger.job(), id), Records.encode(trigger.on())));
    return get(Keys.job(trigger.job()))
        .thenCompose(predecessor -> {
          terms.add(commit -> commit.unchanged(predecessor.orElseThrow(() -> unknown(trigger))));
          return climb(id, trigger, predecessor.orElseThrow(() -> unknown(trigger)), 1);
        })
        .thenCompose(unused -> store.scan(Keys.followers(trigger.job()).limit(FOLLOWERS_MAX + 1)))
        .thenApply(page -> {
          long others = page.entries().stream()
              .filter(entry -> !entry.key().equals(Keys.after(trigger.job(), id)))
              .count();
          Check.that(
              others < FOLLOWERS_MAX,
              "trigger.after",
              trigger.job().value(),
              "must have at most " + FOLLOWERS_MAX
                  + " jobs that run after it, because they are started together",
              "Let some of them run after one of the others.");
          return true;
        });
  }

  /** Walks from predecessor to predecessor, up to a job that runs after none. */
  private CompletionStage<Boolean> climb(JobId id, Trigger.After trigger, Entry at, int steps) {
    Optional<Trigger.After> next = trigger(Records.job(at.value()));
    if (next.isEmpty()) {
      return CompletableFuture.completedStage(true);
    }
    JobId above = next.get().job();
    Check.that(
        !above.equals(id),
        "trigger.after",
        trigger.job().value(),
        "must not run after " + id
            + " itself, directly or through others, because a cycle of jobs never starts or never ends",
        "Let the first of them have a trigger of another kind.");
    Check.that(
        steps < CHAIN_MAX,
        "trigger.after",
        trigger.job().value(),
        "must have at most " + CHAIN_MAX
            + " jobs before it, because every change of the chain checks all of it",
        "Split the chain.");
    return get(Keys.job(above))
        .thenCompose(found -> found.isEmpty()
            ? CompletableFuture.completedStage(true)
            : climb(id, trigger, found.get(), steps + 1));
  }

  private static RuntimeException unknown(Trigger.After trigger) {
    return Check.refusal(
        "trigger.after",
        trigger.job().value(),
        "must be a job that exists, because this one would never be started",
        "Save that job first, or correct its id.");
  }

  private CompletionStage<Optional<Entry>> get(Key key) {
    return store.get(List.of(key)).thenApply(found -> found.stream().findFirst());
  }

  private static void guard(Commit.Builder commit, Key key, Optional<Entry> found) {
    if (found.isPresent()) {
      commit.unchanged(found.get());
    } else {
      commit.absent(key);
    }
  }

  private static Optional<Trigger.After> trigger(Job job) {
    return job.trigger() instanceof Trigger.After after ? Optional.of(after) : Optional.empty();
  }
}
