package io.belfry.library;

import io.belfry.core.fire.Explanation;
import io.belfry.core.history.RetainSettings;
import io.belfry.core.jobs.Jobs;
import io.belfry.core.jobs.StaleException;
import io.belfry.core.jobs.TriggerOptions;
import io.belfry.core.jobs.Triggered;
import io.belfry.core.keys.Keys;
import io.belfry.core.record.Records;
import io.belfry.model.Check;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobBuilder;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Payload;
import io.belfry.model.job.WorkDefaults;
import io.belfry.model.task.TaskId;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Store;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Manages jobs: saves, lists, triggers and explains them. A change is durable when its method returns, and applies to every fire from then on.
 *
 * <p>Threading: safe.
 */
public final class JobOperations {
  private static final int PAGE_MAX = 1000;
  private static final int WALKED_AT_ONCE = 500;
  private static final int PREVIEW_MAX = 100;

  private final Calls calls;
  private final Store store;
  private final Supplier<SchedulerPart> scheduler;
  private final Options options;

  JobOperations(Calls calls, NodeParts parts) {
    this.calls = calls;
    this.store = parts.state;
    this.scheduler = parts::scheduler;
    this.options = parts.options;
  }

  private Jobs jobs() {
    return scheduler.get().jobs;
  }

  private CompletionStage<Triggered> trigger(JobId job, TriggerOptions how, String by) {
    return scheduler.get().requests.trigger(job, how, by);
  }

  /**
   * Starts building a job with this node's {@link Settings#taskTimeout} and {@link Settings#retry} as its defaults. {@link Job#named} uses the
   * built-in defaults instead. The values become part of the job definition.
   */
  public JobBuilder named(String id) {
    return Job.named(id, options.work);
  }

  /** The defaults that {@link #named} uses. */
  public WorkDefaults defaults() {
    return options.work;
  }

  /**
   * Creates the job or replaces it, whatever its current generation.
   *
   * @return the job as stored, with its new generation
   * @throws io.belfry.model.InvalidException if the job can never fire
   */
  public Job save(Job job) {
    return calls.write(() -> jobs().put(kept(job)));
  }

  private Job kept(Job job) {
    Payload payload = job.work().payload();
    Payload kept = options.kept(payload);
    return kept.isPlain() == payload.isPlain() ? job : job.edit().payload(kept).build();
  }

  /**
   * Replaces the job only if the stored generation is still the given one; generation 0 creates the job.
   *
   * @throws StaleException if the job was changed in the meantime
   */
  public Job save(Job job, long generation) {
    return calls.write(() -> jobs().put(kept(job), OptionalLong.of(generation)));
  }

  /**
   * Computes the next fire times of a job without saving it. The job is validated as by {@link #save}.
   *
   * @param count maximum number of fire times
   * @throws io.belfry.model.InvalidException if the job is invalid, or if its calendar leaves so few days that the fire times are too far apart
   */
  public List<Instant> preview(Job job, int count) {
    Check.between("count", count, 1, PREVIEW_MAX, "they are worked out at once");
    return calls.read(() -> jobs().preview(job)).coming(count);
  }

  /** Gets a job. */
  public Optional<Job> get(String id) {
    return calls.read(() -> jobs().get(new JobId(id)));
  }

  /** Gets up to 1,000 jobs in one read; ids that do not exist are left out. */
  public Map<String, Job> get(Collection<String> ids) {
    Check.between("ids", ids.size(), 0, PAGE_MAX, "they are asked for at once");
    Set<Key> keys = new LinkedHashSet<>();
    ids.forEach(id -> keys.add(Keys.job(new JobId(id))));
    var jobs = new LinkedHashMap<String, Job>();
    if (!keys.isEmpty()) {
      calls
          .read(() -> store.get(keys))
          .forEach(entry -> calls
              .decoded(entry, Records::job)
              .ifPresent(job -> jobs.put(job.id().value(), job)));
    }
    return Collections.unmodifiableMap(jobs);
  }

  /**
   * Lists up to {@code limit} jobs in order of their ids, starting after the given id; an empty id starts at the beginning. Records that cannot
   * be read are left out, logged, and counted in {@link Metrics#recordsSkipped}.
   */
  public List<Job> list(String after, int limit) {
    return list(calls.begin(), after, limit);
  }

  private List<Job> list(Calls.Span span, String after, int limit) {
    Check.between("limit", limit, 1, PAGE_MAX, "a page is kept in memory");
    Scan all = Scan.all(Keys.JOBS);
    Scan rest = after.isEmpty() ? all : all.after(Keys.job(new JobId(after)));
    var found = new ArrayList<Job>();
    Optional<Scan> next = Optional.of(rest.limit(limit));
    while (next.isPresent() && found.size() < limit) {
      Scan scan = next.get();
      Page page = span.read(() -> store.scan(scan));
      page.entries().forEach(entry -> calls.decoded(entry, Records::job).ifPresent(found::add));
      next = page.next();
    }
    return List.copyOf(found.subList(0, Math.min(limit, found.size())));
  }

  /**
   * Lists jobs like {@link #list}, each with its next and last fire time. A page takes two reads, between which the leader may fire a job.
   */
  public List<ScannedJob> scan(String after, int limit) {
    Calls.Span span = calls.begin();
    List<Job> page = list(span, after, limit);
    Map<String, JobTimes> times =
        status(span, page.stream().map(job -> job.id().value()).toList());
    return page.stream()
        .map(job -> new ScannedJob(job, times.getOrDefault(job.id().value(), JobTimes.NONE)))
        .toList();
  }

  /**
   * Hands over jobs in the order of their ids, behind the given id, each with when it fires next and fired last, as long as they are wanted; an empty
   * id begins at the beginning. One job is in memory at a time, besides a page as it is stored. Only the reads are bounded in time: the reader says
   * when it has seen enough.
   *
   * @param wanted takes a job, and says whether it wants another
   * @return the id of the last job that was looked at, if there may be more behind it; empty if the jobs have come to their end
   */
  public Optional<String> walk(String after, Predicate<ScannedJob> wanted) {
    Scan all = Scan.all(Keys.JOBS).limit(WALKED_AT_ONCE);
    Optional<Scan> next =
        Optional.of(after.isEmpty() ? all : all.after(Keys.job(new JobId(after))));
    while (next.isPresent()) {
      Scan scan = next.get();
      Calls.Span span = calls.begin();
      Page page = span.read(() -> store.scan(scan));
      Map<String, JobTimes> times =
          status(span, page.entries().stream().map(entry -> entry.key().text()).toList());
      for (Entry entry : page.entries()) {
        String id = entry.key().text();
        Optional<Job> job = calls.decoded(entry, Records::job);
        if (job.isPresent()
            && !wanted.test(new ScannedJob(job.get(), times.getOrDefault(id, JobTimes.NONE)))) {
          return Optional.of(id);
        }
      }
      next = page.next();
    }
    return Optional.empty();
  }

  /** Gets the next and last fire times of up to 1,000 jobs in one read; ids that do not exist are left out. */
  public Map<String, JobTimes> status(Collection<String> ids) {
    Check.between("ids", ids.size(), 0, PAGE_MAX, "they are asked for at once");
    return status(calls.begin(), ids);
  }

  private Map<String, JobTimes> status(Calls.Span span, Collection<String> ids) {
    Set<Key> keys = new LinkedHashSet<>();
    ids.forEach(id -> keys.add(Keys.cursor(new JobId(id))));
    var times = new LinkedHashMap<String, JobTimes>();
    if (!keys.isEmpty()) {
      span.read(() -> store.get(keys))
          .forEach(entry -> calls
              .decoded(entry, Records::cursor)
              .ifPresent(cursor -> times.put(entry.key().text(), JobTimes.of(cursor))));
    }
    return Collections.unmodifiableMap(times);
  }

  /** Deletes the job; its tasks continue. Returns false if it did not exist. */
  public boolean delete(String id) {
    return calls.write(() -> jobs().delete(new JobId(id)));
  }

  /**
   * Deletes the job only if the stored generation is still the given one.
   *
   * @throws StaleException if the job was changed or deleted in the meantime
   */
  public boolean delete(String id, long generation) {
    return calls.write(() -> jobs().delete(new JobId(id), OptionalLong.of(generation)));
  }

  /**
   * Lists the last {@link RetainSettings#VERSIONS} versions of the job, newest first. Versions of a deleted job are kept for {@link
   * RetainSettings#VERSIONS_OF_DELETED}.
   */
  public List<Job> versions(String id) {
    return calls.read(() -> jobs().versions(new JobId(id)));
  }

  /**
   * Restores an older version of the job as a new generation. Also restores a deleted job.
   *
   * @throws io.belfry.model.InvalidException if that version is not kept, or is not valid any more, for example because the job that it runs
   *     after was deleted
   */
  public Job restore(String id, long generation) {
    return calls.write(() -> jobs().restore(new JobId(id), generation));
  }

  /** Enables the job; empty if it does not exist. */
  public Optional<Job> enable(String id) {
    return calls.write(() -> jobs().enable(new JobId(id), true));
  }

  /** Disables the job, so that it does not fire; empty if it does not exist. */
  public Optional<Job> disable(String id) {
    return calls.write(() -> jobs().enable(new JobId(id), false));
  }

  /** Triggers the job: creates a task now. */
  public TaskId trigger(String id) {
    return trigger(id, TriggerRequest.now()).task();
  }

  /**
   * Triggers the job with options.
   *
   * @return the task; for a request with an instant, also whether that instant was triggered before
   */
  public Triggered trigger(String id, TriggerRequest request) {
    String by = request.by().orElse("");
    return calls.write(() -> trigger(new JobId(id), kept(request.options()), by));
  }

  private TriggerOptions kept(TriggerOptions asked) {
    return asked.payload().map(payload -> asked.payload(options.kept(payload))).orElse(asked);
  }

  /** Triggers the job with this payload instead of its own. */
  public TaskId trigger(String id, Object payload) {
    return trigger(id, TriggerRequest.now().payload(payload)).task();
  }

  /** Creates the job's task for that instant exactly once, however often this is called. */
  public TaskId triggerOnce(String id, Instant at) {
    return trigger(id, TriggerRequest.at(at)).task();
  }

  /** Explains why the job fired, did not fire, or will not fire at that instant. */
  public Explanation explain(String id, Instant at) {
    return calls.read(() -> scheduler.get().explaining.explain(new JobId(id), at));
  }
}
