package io.belfry.library;

import io.belfry.core.fire.Explanation;
import io.belfry.core.jobs.Jobs;
import io.belfry.core.jobs.StaleException;
import io.belfry.core.jobs.TriggerOptions;
import io.belfry.core.jobs.Triggered;
import io.belfry.core.keys.Keys;
import io.belfry.core.record.Records;
import io.belfry.core.retain.RetainSettings;
import io.belfry.model.Check;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobBuilder;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Payload;
import io.belfry.model.job.WorkDefaults;
import io.belfry.model.task.TaskId;
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
import java.util.function.Supplier;

/**
 * Definitions of jobs. What a method has returned is durable, and the leader fires by it from then on.
 *
 * <p>Threading: safe.
 */
public final class JobDesk {
  private static final int PAGE_MAX = 1000;
  private static final int PREVIEW_MAX = 100;

  private final Calls calls;
  private final Store store;
  private final Supplier<Decider> decider;
  private final Options options;

  JobDesk(Calls calls, Parts parts) {
    this.calls = calls;
    this.store = parts.state;
    this.decider = parts::decider;
    this.options = parts.options;
  }

  private Jobs jobs() {
    return decider.get().jobs;
  }

  private CompletionStage<Triggered> trigger(JobId job, TriggerOptions how, String by) {
    return decider.get().requests.trigger(job, how, by);
  }

  /**
   * Begins a job that has {@link Settings#taskTimeout} and {@link Settings#retry} of this node unless it says otherwise. They become part of
   * its definition. {@link Job#named} begins one with the defaults of Belfry itself.
   */
  public JobBuilder named(String id) {
    return Job.named(id, options.work);
  }

  /** What jobs have that are begun by {@link #named}. */
  public WorkDefaults defaults() {
    return options.work;
  }

  /**
   * Saves the job, whatever stood there before.
   *
   * @throws io.belfry.model.InvalidException if it can never fire
   */
  public Job put(Job job) {
    return calls.write(() -> jobs().put(kept(job)));
  }

  private Job kept(Job job) {
    Payload payload = job.work().payload();
    Payload kept = options.kept(payload);
    return kept.isPlain() == payload.isPlain() ? job : job.edit().payload(kept).build();
  }

  /**
   * Saves the job if it is still of that generation; 0 means that there must be none.
   *
   * @throws StaleException if somebody has changed it
   */
  public Job put(Job job, long generation) {
    return calls.write(() -> jobs().put(kept(job), OptionalLong.of(generation)));
  }

  /**
   * When the job would fire next if it were saved and enabled now, at most so many times. Everything is checked as for saving, and nothing
   * is saved.
   *
   * @throws io.belfry.model.InvalidException if it could not be saved, or if a calendar lets it fire so rarely that these fires lie too far apart
   *     to be worked out
   */
  public List<Instant> preview(Job job, int count) {
    Check.between("count", count, 1, PREVIEW_MAX, "they are worked out at once");
    return calls.read(() -> jobs().preview(job)).coming(count);
  }

  public Optional<Job> get(String id) {
    return calls.read(() -> jobs().get(new JobId(id)));
  }

  /** The jobs of these ids, in one read; those that do not exist are left out. At most 1,000 at a time. */
  public Map<String, Job> get(Collection<String> ids) {
    Check.between("ids", ids.size(), 0, PAGE_MAX, "they are asked for at once");
    Set<Key> keys = new LinkedHashSet<>();
    ids.forEach(id -> keys.add(Keys.job(new JobId(id))));
    var jobs = new LinkedHashMap<String, Job>();
    if (!keys.isEmpty()) {
      calls
          .read(() -> store.get(keys))
          .forEach(entry -> calls
              .legible(entry, Records::job)
              .ifPresent(job -> jobs.put(job.id().value(), job)));
    }
    return Collections.unmodifiableMap(jobs);
  }

  /**
   * Up to {@code limit} jobs in the order of their ids, behind the given id; an empty id begins at the beginning. One that cannot be read
   * is passed over, logged, and counted in {@link Metrics#recordsPassedOver}.
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
      page.entries().forEach(entry -> calls.legible(entry, Records::job).ifPresent(found::add));
      next = page.next();
    }
    return List.copyOf(found.subList(0, Math.min(limit, found.size())));
  }

  /**
   * The same jobs, each with when it fires next and fired last: two reads a page. What a leader does meanwhile may be in the one and not in
   * the other.
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

  /** When these jobs fire next and fired last, in one read; those that do not exist are left out. At most 1,000 at a time. */
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
              .legible(entry, Records::cursor)
              .ifPresent(cursor -> times.put(entry.key().text(), JobTimes.of(cursor))));
    }
    return Collections.unmodifiableMap(times);
  }

  /** Takes the job out; its tasks go on. False if there was none. */
  public boolean delete(String id) {
    return calls.write(() -> jobs().delete(new JobId(id)));
  }

  /**
   * The same if it is still of that generation.
   *
   * @throws StaleException if somebody has changed it, or it is gone
   */
  public boolean delete(String id, long generation) {
    return calls.write(() -> jobs().delete(new JobId(id), OptionalLong.of(generation)));
  }

  /**
   * The definitions that the job has had, the newest first: the last {@link RetainSettings#VERSIONS}, also of a job that was deleted in
   * the last {@link RetainSettings#VERSIONS_OF_DELETED}. Empty if there never was such a job.
   */
  public List<Job> versions(String id) {
    return calls.read(() -> jobs().versions(new JobId(id)));
  }

  /**
   * Saves the definition of that generation again, as a new generation; a job that was deleted is there again.
   *
   * @throws io.belfry.model.InvalidException if that generation is not kept, or cannot be saved any more, for example because the
   *     job that it runs after is gone
   */
  public Job restore(String id, long generation) {
    return calls.write(() -> jobs().restore(new JobId(id), generation));
  }

  /** Lets the job fire; empty if there is none. */
  public Optional<Job> enable(String id) {
    return calls.write(() -> jobs().enable(new JobId(id), true));
  }

  /** Keeps the job from firing; empty if there is none. */
  public Optional<Job> disable(String id) {
    return calls.write(() -> jobs().enable(new JobId(id), false));
  }

  /** Makes a task of the job now. */
  public TaskId trigger(String id) {
    return trigger(id, TriggerRequest.now()).task();
  }

  /**
   * Makes a task of the job, as the request says.
   *
   * @return the task, and whether the same had been asked for before, of a request for an instant
   */
  public Triggered trigger(String id, TriggerRequest request) {
    String by = request.by().orElse("");
    return calls.write(() -> trigger(new JobId(id), kept(request.options()), by));
  }

  private TriggerOptions kept(TriggerOptions asked) {
    return asked.payload().map(payload -> asked.payload(options.kept(payload))).orElse(asked);
  }

  /** The same with another payload than the job's own. */
  public TaskId trigger(String id, Object payload) {
    return trigger(id, TriggerRequest.now().payload(payload)).task();
  }

  /** Makes the job's task for that instant, once, whoever asks how often. */
  public TaskId triggerOnce(String id, Instant at) {
    return trigger(id, TriggerRequest.at(at)).task();
  }

  /** Why the job did, did not, or will not fire at that instant. */
  public Explanation explain(String id, Instant at) {
    return calls.read(() -> decider.get().explaining.explain(new JobId(id), at));
  }
}
