package io.belfry.tests.witness;

import io.belfry.core.history.History;
import io.belfry.core.history.Listing;
import io.belfry.core.history.Query;
import io.belfry.core.jobs.Calendars;
import io.belfry.core.jobs.Jobs;
import io.belfry.core.keys.Keys;
import io.belfry.core.loop.ThreadLoop;
import io.belfry.core.record.QueueRecord;
import io.belfry.core.record.Records;
import io.belfry.core.record.Term;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.missed.SkippedRange;
import io.belfry.model.task.Task;
import io.belfry.model.time.Time;
import io.belfry.store.Change;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Feed;
import io.belfry.store.Outcome;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Space;
import io.belfry.store.Store;
import io.belfry.store.Watch;
import io.belfry.store.Watcher;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Who saves the jobs of a run, switches them off, and asks in the end what Belfry has to tell.
 *
 * <p>Threading: confined to the driver; hears terms on a thread of the store.
 */
final class Client implements Desk {
  private final Time time = Time.system();
  private final Store store;
  private final Store election;
  private final ThreadLoop loop;
  private final Jobs jobs;
  private final Calendars calendars;
  private final Map<Long, List<String>> leaders = new ConcurrentHashMap<>();

  Client(Engine engine) {
    store = Engine.connect(engine.state());
    election = engine.election().equals(engine.state()) ? store : Engine.connect(engine.election());
    loop = new ThreadLoop("client", time, new SplittableRandom(time.nanos()), broken -> {
      throw new IllegalStateException("the client's loop broke", broken);
    });
    jobs = new Jobs(loop, store);
    calendars = new Calendars(loop, store);
    listen();
  }

  private void listen() {
    Watch unused = store.watch(Feed.of(Keys.TERM), Watch.NOW, new Watcher() {
      @Override
      public void changed(long revision, List<Change> changes) {
        for (Change change : changes) {
          if (change instanceof Change.Put(Entry entry) && entry.key().equals(Keys.FENCE)) {
            Term term = Records.term(entry.value());
            leaders
                .computeIfAbsent(term.number(), n -> new CopyOnWriteArrayList<>())
                .add(term.leader());
          }
        }
      }

      @Override
      public void compacted() {
        listen();
      }
    });
  }

  /** Predecessors first: a job that follows another is refused while that one is not there. */
  @Override
  public List<Promise> save(Function<Instant, List<JobPlan>> wanted) {
    List<JobPlan> plans = wanted.apply(time.wall());
    pullFrom(Policy.PULL_QUEUE);
    plans.forEach(plan -> {
      if (plan.rhythm() instanceof Rhythm.OnDays days) {
        answer(calendars.put(JobPlans.calendar(days)));
      }
    });
    List<Promise> promises = new ArrayList<>();
    for (boolean following : List.of(false, true)) {
      promises.addAll(put(plans.stream()
          .filter(plan -> plan.rhythm() instanceof Rhythm.Following == following)
          .toList()));
    }
    return promises;
  }

  private List<Promise> put(List<JobPlan> plans) {
    Instant asked = time.wall();
    Map<JobPlan, CompletionStage<Job>> saving = new LinkedHashMap<>();
    plans.forEach(plan -> saving.put(plan, jobs.put(JobPlans.job(plan))));
    var promises = new ArrayList<Promise>();
    saving.forEach((plan, job) ->
        promises.add(Promise.open(plan, asked, answer(job).saved().orElseThrow().updated())));
    return promises;
  }

  private void pullFrom(String queue) {
    byte[] record = Records.encode(QueueRecord.DEFAULT.mode(QueueRecord.Mode.PULL));
    Outcome outcome =
        answer(store.commit(Commit.when().put(Keys.queue(queue), record).build()));
    if (!(outcome instanceof Outcome.Done)) {
      throw new IllegalStateException("queue " + queue + " was not switched to pull: " + outcome);
    }
  }

  @Override
  public List<Promise> retire(List<Promise> promises) {
    return retire(promises, time.wall());
  }

  /** The same, if it was asked for a moment ago. */
  List<Promise> retire(List<Promise> promises, Instant asked) {
    List<CompletionStage<Optional<Job>>> saving = promises.stream()
        .filter(promise -> !promise.isOver(asked))
        .map(promise -> jobs.enable(new JobId(promise.job()), false))
        .toList();
    saving.forEach(Client::answer);
    Instant over = time.wall();
    return promises.stream().map(promise -> promise.ending(asked, over)).toList();
  }

  @Override
  public Optional<String> leader() {
    try {
      return answer(election.get(List.of(Keys.LEADER))).stream()
          .findFirst()
          .map(entry -> new String(entry.value(), java.nio.charset.StandardCharsets.UTF_8));
    } catch (IllegalStateException away) {
      return Optional.empty(); // the engine fails over: nobody leads now
    }
  }

  @Override
  public boolean isSettled() {
    return unfinished().isEmpty();
  }

  private List<String> unfinished() {
    return scan(Keys.TASKS).stream().map(entry -> entry.key().text()).toList();
  }

  @Override
  public Told told() {
    Map<String, List<Told.End>> ends = new HashMap<>();
    var history = new History(store, loop::post);
    Optional<String> cursor = Optional.empty();
    do {
      Listing page = answer(history.list(Query.ALL, cursor, History.LIMIT_MAX));
      for (Task task : page.tasks()) {
        if (task.isFinal()) {
          ends.merge(task.id().toString(), List.of(end(task)), Client::both);
        }
      }
      cursor = page.next();
    } while (cursor.isPresent());
    Map<String, List<Told.Range>> skips = new HashMap<>();
    for (Entry entry : scan(Keys.SKIPS)) {
      SkippedRange range = Records.skippedRange(entry.value());
      String name = entry.key().text();
      skips
          .computeIfAbsent(name.substring(0, name.indexOf('/')), job -> new ArrayList<>())
          .add(new Told.Range(
              range.from(), range.to(), range.reason().name().toLowerCase(Locale.ROOT)));
    }
    return new Told(ends, unfinished(), skips, Map.copyOf(leaders));
  }

  private static Told.End end(Task task) {
    return new Told.End(
        task.stateName().name().toLowerCase(Locale.ROOT), task.history().token().value());
  }

  private static List<Told.End> both(List<Told.End> some, List<Told.End> more) {
    var all = new ArrayList<>(some);
    all.addAll(more);
    return all;
  }

  @Override
  public int terms() {
    return leaders.size();
  }

  private List<Entry> scan(Space space) {
    var all = new ArrayList<Entry>();
    Optional<Scan> next = Optional.of(Scan.all(space));
    while (next.isPresent()) {
      Page page = answer(store.scan(next.get()));
      all.addAll(page.entries());
      next = page.next();
    }
    return all;
  }

  /** Asks again for a while: engines fail over in these runs. */
  private static <T> T answer(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException("the client got no answer", e);
    }
  }

  @Override
  public void close() {
    jobs.stop();
    calendars.stop();
    loop.close();
    election.close();
    store.close();
  }
}
