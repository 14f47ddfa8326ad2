package io.belfry.core.jobs;

import io.belfry.core.calendar.Calendar;
import io.belfry.core.dispatch.UnmatchedCount;
import io.belfry.core.fire.Explanation;
import io.belfry.core.fire.Facts;
import io.belfry.core.fire.Timetables;
import io.belfry.core.history.History;
import io.belfry.core.keys.Keys;
import io.belfry.core.record.Cursor;
import io.belfry.core.record.NamespaceSettings;
import io.belfry.core.record.Records;
import io.belfry.core.record.SafeDecoder;
import io.belfry.core.record.WorkerRecord;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.missed.SkippedRange;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskState;
import io.belfry.model.time.Time;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Scan;
import io.belfry.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Explains why a job did, did not, or will not fire at an instant. It only reads, and decides nothing.
 *
 * <p>Threading: stateless.
 */
public final class JobExplainer {
  private final Store store;
  private final History history;
  private final Time time;
  private final Duration kept;
  private final Calendars calendars;

  /**
   * @param kept how long skips are kept
   */
  public JobExplainer(Store store, History history, Calendars calendars, Time time, Duration kept) {
    this.store = store;
    this.history = history;
    this.calendars = calendars;
    this.time = time;
    this.kept = kept;
  }

  /** Why the job fired then or not. The instant is truncated to milliseconds, like fires. */
  public CompletionStage<Explanation> explain(JobId job, Instant instant) {
    Instant at = instant.truncatedTo(ChronoUnit.MILLIS);
    List<Key> keys = List.of(Keys.job(job), Keys.cursor(job), Keys.NAMESPACE);
    // The cursor is read before the outcomes, so that an outcome written meanwhile is not
    // missed.
    return store
        .get(keys)
        .thenCompose(found -> calendar(found, job)
            .thenCompose(calendar -> new SkipSearch(store, job, at)
                .run()
                .thenCombine(
                    history.find(TaskId.fire(job, at)),
                    (skip, task) -> facts(job, at, found, calendar, skip, task))
                .thenCompose(this::explain)));
  }

  private CompletionStage<Explanation> explain(Facts facts) {
    Explanation explanation = facts.explain();
    Optional<Task> waiting = facts.task().filter(task -> task.state() instanceof TaskState.Pending);
    if (waiting.isEmpty() || !(explanation instanceof Explanation.Fired fired)) {
      return CompletableFuture.completedStage(explanation);
    }
    return waits(waiting.get())
        .thenApply(why -> new Explanation.Fired(fired.task(), fired.state(), why));
  }

  /** Why a waiting task cannot start: no worker may take it, busy or not. Empty if one may, or if the task does not wait. */
  public CompletionStage<Optional<String>> waits(Task task) {
    if (!(task.state() instanceof TaskState.Pending)) {
      return CompletableFuture.completedStage(Optional.empty());
    }
    var unserved = new UnmatchedCount(task.work().queue(), task.work().workers(), 1);
    return isServed(unserved, Scan.all(Keys.WORKERS))
        .thenApply(served -> served ? Optional.empty() : Optional.of(unserved.sentence()));
  }

  private CompletionStage<Boolean> isServed(UnmatchedCount unserved, Scan scan) {
    return store.scan(scan).thenCompose(page -> {
      List<WorkerRecord> workers = page.entries().stream()
          .flatMap(entry -> SafeDecoder.read(entry, each -> Records.worker(each.value())).stream())
          .toList();
      boolean served = UnmatchedCount.isServed(unserved.queue(), unserved.labels(), workers);
      return served || page.next().isEmpty()
          ? CompletableFuture.completedStage(served)
          : isServed(unserved, page.next().get());
    });
  }

  private CompletionStage<Optional<Calendar>> calendar(List<Entry> found, JobId id) {
    Optional<String> name = job(found, id).flatMap(Timetables::calendar);
    if (name.isEmpty()) {
      return CompletableFuture.completedStage(Optional.empty());
    }
    return calendars
        .get(name.get())
        .thenCompose(saved -> saved.isEmpty()
            ? CompletableFuture.completedStage(Optional.<Calendar>empty())
            : calendars.resolved(saved.get()).thenApply(Optional::of));
  }

  private Facts facts(
      JobId id,
      Instant at,
      List<Entry> found,
      Optional<Calendar> calendar,
      Optional<SkippedRange> skip,
      Optional<Task> task) {
    Optional<Cursor> cursor =
        find(found, Keys.cursor(id)).map(entry -> Records.cursor(entry.value()));
    Optional<String> paused = find(found, Keys.NAMESPACE)
        .map(entry -> Records.namespaceSettings(entry.value()))
        .filter(NamespaceSettings::paused)
        .map(NamespaceSettings::reason);
    return new Facts(
        id, at, time.wall(), task, skip, job(found, id), cursor, calendar, paused, kept);
  }

  private static Optional<Job> job(List<Entry> found, JobId id) {
    return find(found, Keys.job(id)).map(entry -> Records.job(entry.value()));
  }

  private static Optional<Entry> find(List<Entry> found, Key key) {
    return found.stream().filter(entry -> entry.key().equals(key)).findFirst();
  }
}
