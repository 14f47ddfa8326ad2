package io.belfry.tests.witness;

import io.belfry.core.jobs.Jobs;
import io.belfry.core.keys.Keys;
import io.belfry.core.loop.ThreadLoop;
import io.belfry.core.record.Records;
import io.belfry.core.record.Term;
import io.belfry.core.retain.History;
import io.belfry.core.retain.Listing;
import io.belfry.core.retain.Query;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.missed.MissedPolicy;
import io.belfry.model.missed.SkippedRange;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskState;
import io.belfry.model.time.Time;
import io.belfry.store.Change;
import io.belfry.store.Entry;
import io.belfry.store.Feed;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Space;
import io.belfry.store.Store;
import io.belfry.store.Watch;
import io.belfry.store.Watcher;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

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
  private final Map<Long, List<String>> leaders = new ConcurrentHashMap<>();

  Client(Engine engine) {
    store = Engine.connect(engine.state());
    election = engine.election().equals(engine.state()) ? store : Engine.connect(engine.election());
    loop = new ThreadLoop("client", time, new SplittableRandom(time.nanos()), broken -> {
      throw new IllegalStateException("the client's loop broke", broken);
    });
    jobs = new Jobs(loop, store);
    listen();
  }

  private void listen() {
    Watch unused = store.watch(Feed.of(Keys.TERM), Watch.NOW, new Watcher() {
      @Override
      public void changed(long revision, List<Change> changes) {
        for (Change change : changes) {
          if (change instanceof Change.Put(Entry entry)) {
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

  @Override
  public List<Promise> save(int count) {
    List<CompletionStage<Job>> asked =
        IntStream.range(0, count).mapToObj(i -> jobs.put(job("tick-" + i))).toList();
    return asked.stream().map(Client::answer).map(Client::promise).toList();
  }

  private static Job job(String id) {
    return Job.named(id)
        .cron("* * * * * *", ZoneOffset.UTC)
        .overlap(OverlapPolicy.ALLOW)
        .missed(
            new MissedPolicy(MissedPolicy.Policy.ALL, Duration.ofHours(1), MissedPolicy.MAX_COUNT))
        .local("ledger")
        .timeout(Duration.ofSeconds(30))
        .build();
  }

  private static Promise promise(Job saved) {
    Instant from = saved.saved().orElseThrow().updated();
    return new Promise(saved.id().value(), 1, 0, from, Instant.MAX, Instant.MAX);
  }

  @Override
  public List<Promise> retire(List<Promise> promises) {
    // What was due in the last moments may have been taken back by the change, with a reason.
    Instant until = time.wall().minusSeconds(1);
    List<CompletionStage<Optional<Job>>> asked = promises.stream()
        .map(promise -> jobs.enable(new JobId(promise.job()), false))
        .toList();
    asked.forEach(Client::answer);
    Instant over = time.wall();
    return promises.stream().map(promise -> promise.ending(until, over)).toList();
  }

  @Override
  public Optional<String> leader() {
    return answer(election.get(List.of(Keys.LEADER))).stream()
        .findFirst()
        .map(entry -> new String(entry.value(), java.nio.charset.StandardCharsets.UTF_8))
        .map(id -> id.substring(0, id.indexOf('~')));
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
          .add(new Told.Range(range.from(), range.to(), range.reason().sentence()));
    }
    return new Told(ends, unfinished(), skips, Map.copyOf(leaders));
  }

  private static Told.End end(Task task) {
    return new Told.End(
        task.state() instanceof TaskState.Succeeded, task.history().token().value());
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
    loop.close();
    election.close();
    store.close();
  }
}
