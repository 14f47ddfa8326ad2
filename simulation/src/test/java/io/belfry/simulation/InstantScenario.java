package io.belfry.simulation;

import io.belfry.core.election.ElectionSettings;
import io.belfry.core.jobs.Jobs;
import io.belfry.core.jobs.Requests;
import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.Cursor;
import io.belfry.core.record.Records;
import io.belfry.core.worker.Launcher.Ending;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobBuilder;
import io.belfry.model.job.JobId;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.job.Trigger;
import io.belfry.model.job.Window;
import io.belfry.model.task.Result;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.store.Change;
import io.belfry.store.Entry;
import io.belfry.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/**
 * Somebody asks for the very instants that jobs come to by themselves, shortly before and after them, while answers get lost and leaders
 * die. Afterwards, no fixed delay waits for a task that is over, and what was replaced is gone: also if the leader died of having made what
 * replaces it, and nothing comes of the job for a while.
 */
final class InstantScenario implements LongConsumer, EngineEar {
  private static final Duration STORM = Duration.ofSeconds(35);
  private static final Duration CALM = Duration.ofSeconds(50);
  private static final Duration LAST_ORDERS = Duration.ofSeconds(65);
  private static final Duration END = Duration.ofSeconds(150);
  private static final long PATIENCE = Duration.ofSeconds(4).toNanos();
  private static final Set<FaultPlan.Fault> FAULTS = EnumSet.of(
      FaultPlan.Fault.CRASH,
      FaultPlan.Fault.PAUSE_LONG,
      FaultPlan.Fault.DEAF,
      FaultPlan.Fault.LOSSY,
      FaultPlan.Fault.PARTITION);

  private static final List<Job> ASKED = List.of(
      job("each")
          .cron("* * * * * *", ZoneOffset.UTC)
          .overlap(OverlapPolicy.ALLOW)
          .build(),
      job("skip").cron("* * * * * *", ZoneOffset.UTC).build(),
      job("row")
          .cron("*/2 * * * * *", ZoneOffset.UTC)
          .overlap(OverlapPolicy.QUEUE)
          .build(),
      job("swap")
          .cron("*/3 * * * * *", ZoneOffset.UTC)
          .overlap(OverlapPolicy.REPLACE)
          .build(),
      delay("rest", Duration.ofSeconds(1)),
      delay("nap", Duration.ofMillis(300)));

  /** Left alone, so that nobody but a new leader makes good what the last one did not come to. */
  private static final Job RELAY = job("relay")
      .cron("*/15 * * * * *", ZoneOffset.UTC)
      .overlap(OverlapPolicy.REPLACE)
      .timeout(Duration.ofMinutes(1))
      .build();

  /** Deleted and created again and again, while somebody asks for instants that the next of them comes to. */
  private static final List<Job> RECREATED = List.of(
      job("again")
          .cron("* * * * * *", ZoneOffset.UTC)
          .overlap(OverlapPolicy.ALLOW)
          .build(),
      job("anew").cron("* * * * * *", ZoneOffset.UTC).build());

  private static final List<Job> JOBS =
      Stream.of(ASKED, List.of(RELAY), RECREATED).flatMap(List::stream).toList();
  private static final Duration RELAYED = Duration.ofSeconds(45);
  private static final Duration RESTART = Duration.ofSeconds(5);

  /** Quick, so that some are over before anybody has heard that they began; what is replaced is long. */
  private static final Script SCRIPT = (task, random) -> new Script.Body(
      switch (task.id().jobId().map(JobId::value).orElse("")) {
        case "swap" -> Duration.ofSeconds(6);
        case "relay" -> Duration.ofSeconds(40);
        case "again", "anew" ->
          Duration.ofMillis(1 + random.nextInt(random.nextInt(4) == 0 ? 6_000 : 20));
        default -> Duration.ofMillis(1 + random.nextInt(random.nextInt(4) == 0 ? 2_500 : 20));
      },
      new Ending.Returned(Result.OK),
      Duration.ofMillis(1));

  /** What lasts, and since when. */
  private final Map<String, Long> since = new HashMap<>();

  private final Map<TaskId, Birth> born = new HashMap<>();

  /** When a leader made a task, and at which revision it came to stand. */
  private record Birth(Instant made, long stood) {
    boolean isBefore(Birth other) {
      return made.isBefore(other.made) && stood < other.stood;
    }
  }

  private static JobBuilder job(String id) {
    return Job.named(id).local("noop").timeout(Duration.ofSeconds(25));
  }

  private static Job delay(String id, Duration interval) {
    return job(id)
        .trigger(new Trigger.Every(interval, Trigger.Every.From.END, Window.ALWAYS))
        .build();
  }

  @Override
  public void accept(long seed) {
    since.clear();
    born.clear();
    var stage = new Stage(seed, "ScenariosTest#an_instant_has_one_task_whoever_asks");
    for (String name : List.of("s1", "s2")) {
      stage.scheduler(name);
    }
    for (String name : List.of("w1", "w2")) {
      stage.worker(name, 20, SCRIPT);
    }
    stage.simulation.engine().addEar(this);
    stage.simulation.cluster().add("c", process -> new Client(stage, process).start());
    stage.world.at(RELAYED.minusSeconds(1).toNanos(), () -> killByRelay(stage));
    stage.world.at(CALM.toNanos(), () -> watch(stage));
    stage.simulation.run(FAULTS, ElectionSettings.DEFAULT.lease(), STORM, END);
    stage.laws.checkEnd();
  }

  /** The leader has made the task, and does not live to hear so. */
  private static void killByRelay(Stage stage) {
    if (!lives(stage, TaskId.fire(RELAY.id(), SimTime.BEGINNING.plus(RELAYED)))) {
      stage.world.in(Duration.ofNanos(100_000), () -> killByRelay(stage));
      return;
    }
    for (Cluster.Seat seat : stage.simulation.cluster().seats()) {
      if (seat.node().filter(node -> node.id().equals(stage.leader())).isPresent()) {
        seat.crash();
        stage.world.in(RESTART, seat::start);
      }
    }
  }

  private void watch(Stage stage) {
    if (stage.world.now() < LAST_ORDERS.toNanos()) {
      JOBS.forEach(job -> delaysGoOn(stage, job.id()));
      replacedAreGone(stage, "swap");
      replacedAreGone(stage, "relay");
      stage.world.in(Duration.ofMillis(100), () -> watch(stage));
    }
  }

  private void delaysGoOn(Stage stage, JobId job) {
    Optional<Cursor> cursor = cursor(stage, job);
    boolean over = cursor.isPresent()
        && cursor.get().active()
        && cursor.get().next().isEmpty()
        && cursor.get().previous().filter(task -> !lives(stage, task)).isPresent();
    lasts(stage, job + " waits for nobody", over);
  }

  /** Of two that are under way together, one may be made earlier and the other stand earlier: then neither is the later. */
  private void replacedAreGone(Stage stage, String job) {
    Optional<Birth> newest = cursor(stage, new JobId(job))
        .flatMap(Cursor::previous)
        .filter(task -> lives(stage, task))
        .map(born::get);
    born.forEach((task, birth) -> {
      if (task.toString().startsWith(job)) {
        boolean replaced = lives(stage, task) && newest.filter(birth::isBefore).isPresent();
        lasts(stage, task + " is not cancelled", replaced);
      }
    });
  }

  @Override
  public void applied(EngineStep step) {
    for (Change change : step.changes()) {
      if (change instanceof Change.Put(Entry entry) && entry.key().space().equals(Keys.TASKS)) {
        Task task = Records.task(entry.value());
        born.putIfAbsent(task.id(), new Birth(task.created(), entry.revision()));
      }
    }
  }

  private void lasts(Stage stage, String what, boolean is) {
    if (!is) {
      since.remove(what);
    } else if (stage.world.now() - since.computeIfAbsent(what, unused -> stage.world.now())
        > PATIENCE) {
      throw stage.world.violation("I7 everything recovers", what);
    }
  }

  private static Optional<Cursor> cursor(Stage stage, JobId job) {
    return Optional.ofNullable(stage.simulation.engine().state().slots().get(Keys.cursor(job)))
        .map(slot -> Records.cursor(slot.value()));
  }

  private static boolean lives(Stage stage, TaskId task) {
    return stage.simulation.engine().state().slots().containsKey(Keys.task(task));
  }

  /** Who asks. */
  private static final class Client {
    private static final Duration AGAIN = Duration.ofMillis(500);

    private final Stage stage;
    private final SimNode node;
    private final Loop loop;
    private final Store store;
    private final Jobs jobs;
    private final Requests requests;

    Client(Stage stage, Cluster.Booted process) {
      this.stage = stage;
      this.node = process.node();
      this.loop = node.loop();
      this.store = process.store();
      this.jobs = new Jobs(loop, store);
      this.requests = new Requests(loop, store, Duration.ofDays(7));
    }

    void start() {
      JOBS.forEach(this::save);
      ask();
      recreate();
    }

    /** On a restart the job may be there already: then it is left as it is. */
    private void save(Job job) {
      loop.onResult(
          jobs.get(job.id()),
          found -> {
            if (found.isEmpty()) {
              loop.onResult(jobs.put(job), saved -> retire(job), failure -> later(() -> save(job)));
            } else {
              retire(job);
            }
          },
          failure -> later(() -> save(job)));
    }

    private void retire(Job job) {
      if (stage.world.now() < LAST_ORDERS.toNanos()) {
        later(() -> retire(job));
      } else {
        loop.onResult(jobs.enable(job.id(), false), off -> {}, failure -> later(() -> retire(job)));
      }
    }

    private void later(Runnable step) {
      var unused = loop.after(AGAIN, step);
    }

    /** Asks for an instant to come, deletes the job before it, and creates it again. */
    private void recreate() {
      if (stage.world.now() >= CALM.toNanos()) {
        return;
      }
      var unused =
          loop.after(Duration.ofMillis(1_000 + node.random().nextInt(3_000)), this::recreate);
      Job job = RECREATED.get(node.random().nextInt(RECREATED.size()));
      Instant ahead = loop.time()
          .wall()
          .truncatedTo(ChronoUnit.SECONDS)
          .plusSeconds(2 + node.random().nextInt(3));
      Runnable delete = () -> loop.onResult(
          jobs.delete(job.id()),
          deleted -> loop.onResult(jobs.put(job), saved -> {}, failure -> later(() -> save(job))),
          failure -> later(() -> save(job)));
      loop.onResult(
          requests.triggerOnce(job.id(), ahead, Optional.empty(), "somebody"),
          asked -> delete.run(),
          failure -> delete.run());
    }

    private void ask() {
      if (stage.world.now() >= LAST_ORDERS.toNanos()) {
        return;
      }
      var unused = loop.after(Duration.ofMillis(node.random().nextInt(800)), this::ask);
      JobId job = ASKED.get(node.random().nextInt(ASKED.size())).id();
      loop.onResult(
          store.get(List.of(Keys.cursor(job))),
          found -> found.forEach(entry -> ask(job, Records.cursor(entry.value()))),
          failure -> {});
    }

    /** For the next instant, one after it, or one that has passed; or at once, which is no instant of the job's. */
    private void ask(JobId job, Cursor cursor) {
      int kind = node.random().nextInt(6);
      Optional<Instant> at = kind < 3
          ? cursor.next()
          : kind == 3
              ? cursor.next().map(next -> next.plusSeconds(6))
              : kind == 4 ? cursor.last() : Optional.empty();
      loop.onResult(
          at.isPresent()
              ? requests.triggerOnce(job, at.get(), Optional.empty(), "somebody")
              : requests.trigger(job, Optional.empty(), "somebody"),
          stage.laws::accepted,
          failure -> {});
    }
  }
}
