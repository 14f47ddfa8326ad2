package io.belfry.simulation;

import io.belfry.core.jobs.Jobs;
import io.belfry.core.jobs.Requests;
import io.belfry.core.jobs.TriggerOptions;
import io.belfry.core.loop.Loop;
import io.belfry.core.submit.Receipt;
import io.belfry.core.submit.Submission;
import io.belfry.core.submit.Submitter;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Job;
import io.belfry.model.job.Limit;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.job.Payload;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Trigger;
import io.belfry.model.job.Window;
import io.belfry.model.job.Work;
import io.belfry.model.missed.MissedPolicy;
import io.belfry.model.retry.RetryPolicy;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Somebody who uses it: saves jobs, submits tasks, triggers, cancels, switches jobs off and on, orders workers about, and in the end stops
 * everything. Tells the laws what was acknowledged.
 *
 * <p>Threading: confined to its world.
 */
final class CoreClient {
  private static final Duration AGAIN = Duration.ofMillis(500);
  private static final List<Priority> PRIORITIES = List.of(Priority.values());
  private static final RetryPolicy RETRY =
      RetryPolicy.DEFAULT.withDelay(Duration.ofMillis(500)).withCap(Duration.ofSeconds(2));

  private static final Payload PAYLOAD = Payload.json("{\"customer\": 17}");

  private final SimNode node;
  private final Loop loop;
  private final World world;
  private final CoreLaws laws;
  private final AckLaw acknowledged;
  private final Jobs jobs;
  private final Requests requests;
  private final Submitter submitter;
  private final CoreSwitches switches;
  private final CoreOrders orders;
  private final List<String> workers;
  /** Changes of jobs that are under way. */
  private int changing;

  CoreClient(
      Cluster.Booted process,
      World world,
      CoreLaws laws,
      AckLaw acknowledged,
      OrderLaw ordered,
      List<String> workers) {
    this.node = process.node();
    this.loop = node.loop();
    this.world = world;
    this.laws = laws;
    this.acknowledged = acknowledged;
    Store store = process.store();
    this.jobs = new Jobs(loop, store);
    this.switches = new CoreSwitches(node, store);
    this.orders = new CoreOrders(node, store, ordered, workers);
    this.workers = workers;
    this.requests = new Requests(loop, store, Duration.ofDays(7));
    this.submitter = new Submitter(loop, store, node.id(), Duration.ofDays(7), 1000);
  }

  static List<Job> definitions() {
    return List.of(
        job("tick").cron("* * * * * *", ZoneOffset.UTC).build(),
        job("even")
            .every(Duration.ofMillis(700))
            .overlap(OverlapPolicy.ALLOW)
            .missed(new MissedPolicy(MissedPolicy.Policy.ALL, Duration.ofMinutes(5), 20))
            .build(),
        job("row").every(Duration.ofMillis(1500)).overlap(OverlapPolicy.QUEUE).build(),
        job("swap").every(Duration.ofSeconds(2)).overlap(OverlapPolicy.REPLACE).build(),
        job("rest")
            .trigger(
                new Trigger.Every(Duration.ofSeconds(1), Trigger.Every.From.END, Window.ALWAYS))
            .build(),
        job("once")
            .every(Duration.ofSeconds(2))
            .retry(RetryPolicy.NONE)
            .atMostOnce(true)
            .build(),
        job("tail").after("row", Trigger.After.Outcome.FINISHED).build());
  }

  private static io.belfry.model.job.JobBuilder job(String id) {
    return Job.named(id).local("noop").timeout(Duration.ofSeconds(4)).retry(RETRY);
  }

  void start() {
    definitions().forEach(this::save);
    later(Duration.ofMillis(300), this::submit);
    later(Duration.ofSeconds(3), this::fiddle);
    switches.start();
    orders.start();
  }

  private boolean closing() {
    return world.now() >= CoreScenario.LAST_ORDERS.toNanos();
  }

  private void later(Duration mean, Runnable step) {
    long nanos = node.random().nextLong(2 * mean.toNanos());
    var unused = loop.after(Duration.ofNanos(nanos), step);
  }

  private <T> void hear(CompletionStage<T> stage, Consumer<T> answer, Runnable failed) {
    loop.onResult(stage, answer, failure -> failed.run());
  }

  /** On a restart the job may be there already: then it is left as it is. */
  private void save(Job job) {
    hear(
        jobs.get(job.id()),
        found -> {
          if (found.isEmpty() && !closing()) {
            put(job);
          } else {
            retire(job);
          }
        },
        () -> later(AGAIN, () -> save(job)));
  }

  private void put(Job job) {
    hear(
        jobs.put(job),
        saved -> {
          acknowledged.saved(saved);
          retire(job);
        },
        () -> later(AGAIN, () -> save(job)));
  }

  /** When the time has come, and none of our own changes is under way that could switch it on again, the job is switched off for good. */
  private void retire(Job job) {
    if (!closing() || changing > 0) {
      later(AGAIN, () -> retire(job));
      return;
    }
    hear(
        jobs.enable(job.id(), false),
        off -> off.ifPresent(this::isOff),
        () -> later(AGAIN, () -> retire(job)));
  }

  private void isOff(Job job) {
    acknowledged.saved(job);
    laws.disabled(job);
  }

  private void submit() {
    if (closing()) {
      return;
    }
    later(Duration.ofMillis(600), this::submit);
    // Now and then many at once, so that they share commits, and with them tokens.
    int count = node.random().nextInt(6) == 0 ? 12 : 1;
    for (int i = 0; i < count; i++) {
      submitOne();
    }
  }

  private void submitOne() {
    Instant now = SimTime.BEGINNING.plusNanos(
        world.now()); // a due time comes from people, whose clock is right
    TaskId id = TaskId.oneOff(now, node.random());
    Priority priority = PRIORITIES.get(node.random().nextInt(PRIORITIES.size()));
    Instant due =
        node.random().nextBoolean() ? now : now.plusMillis(node.random().nextInt(3000));
    Task task = Task.pending(id, work(), priority, due, now);
    if (node.random().nextInt(3) == 0) {
      String key = "key:" + id;
      keyed(key, task);
      if (node.random().nextBoolean()) {
        later(Duration.ofSeconds(2), () -> keyed(key, again(task)));
      }
    } else {
      submit(task, Optional.empty());
    }
  }

  /** Some must not begin twice, some share a limit, some wait in a queue whose mode is switched; most are plain. */
  private Work work() {
    Work work = Work.of("one-off", ExecutorSpec.local("noop"))
        .withPayload(node.random().nextBoolean() ? Payload.EMPTY : PAYLOAD)
        .withTimeout(Duration.ofSeconds(4))
        .withRetry(RETRY);
    Work queued = node.random().nextInt(3) == 0 ? work.withQueue(CoreSwitches.QUEUE) : work;
    return switch (node.random().nextInt(8)) {
      case 0 -> queued.withRetry(RetryPolicy.NONE).onlyOnce();
      case 1, 2 -> queued.withLimit(Limit.concurrency(2).by("pair"));
      default -> queued;
    };
  }

  private Task again(Task task) {
    return Task.pending(
        TaskId.oneOff(task.created(), node.random()),
        task.work(),
        task.priority(),
        task.created(),
        task.created());
  }

  private void keyed(String key, Task task) {
    laws.keyed(key, task.id());
    submit(task, Optional.of(key));
  }

  private void submit(Task task, Optional<String> key) {
    loop.onResult(
        submitter.submit(new Submission(task, key)),
        receipt -> heard(receipt, task.id(), key),
        failure -> {
          if (failure instanceof StoreException.Full) {
            laws.refused(task.id());
          }
        });
  }

  private void heard(Receipt receipt, TaskId id, Optional<String> key) {
    if (receipt instanceof Receipt.Accepted) {
      laws.accepted(id);
      changeMind(id);
    } else if (receipt instanceof Receipt.Repeated(TaskId of) && key.isPresent()) {
      laws.repeated(key.get(), of);
    } else {
      throw world.violation("I2 nothing acknowledged is lost", id + " got " + receipt);
    }
  }

  private void changeMind(TaskId id) {
    if (node.random().nextInt(8) == 0) {
      later(Duration.ofSeconds(1), () -> cancel(id));
    }
    if (node.random().nextInt(8) == 0) {
      later(Duration.ofMillis(500), () -> prioritise(id));
    }
  }

  private void cancel(TaskId id) {
    hear(requests.cancel(id, "changed our mind", "client"), acknowledged::cancelled, () -> {});
    if (node.random().nextInt(3) == 0) {
      later(Duration.ofSeconds(1), () -> cancel(id));
    }
  }

  private void prioritise(TaskId id) {
    Priority priority = PRIORITIES.get(node.random().nextInt(PRIORITIES.size()));
    hear(requests.prioritise(id, priority, "client"), acknowledged::prioritised, () -> {});
  }

  private void fiddle() {
    if (closing()) {
      return;
    }
    later(Duration.ofSeconds(3), this::fiddle);
    List<Job> all = definitions();
    Job job = all.get(node.random().nextInt(all.size()));
    switch (node.random().nextInt(6)) {
      case 0 ->
        hear(
            requests.trigger(job.id(), options(), "client"),
            triggered -> laws.accepted(triggered.task()),
            () -> {});
      case 1 ->
        hear(
            jobs.enable(job.id(), false),
            off -> {
              off.ifPresent(this::isOff);
              enableAgain(job);
            },
            () -> enableAgain(job));
      case 2 -> change(jobs.put(job).thenApply(Optional::of), () -> {});
      case 5 -> restore(job);
      case 3 -> delete(job);
      default ->
        hear(
            requests.triggerOnce(
                job.id(),
                Instant.ofEpochSecond(world.now() / 5_000_000_000L),
                Optional.empty(),
                "k8s"),
            laws::accepted,
            () -> {});
    }
  }

  /** A change of a job that may switch it on. */
  private void change(CompletionStage<Optional<Job>> change, Runnable done) {
    changing++;
    hear(
        change,
        saved -> {
          changing--;
          saved.ifPresent(acknowledged::saved);
          done.run();
        },
        () -> changing--);
  }

  /** On whatever worker, or on a certain one, for which the task waits while it is away. */
  private TriggerOptions options() {
    return node.random().nextBoolean()
        ? TriggerOptions.NONE
        : TriggerOptions.NONE.worker(workers.get(node.random().nextInt(workers.size())));
  }

  /** Any of the definitions that it has had, which differ in whether they are switched on. */
  private void restore(Job job) {
    hear(
        jobs.versions(job.id()),
        versions -> {
          if (!versions.isEmpty() && !closing()) {
            Job one = versions.get(node.random().nextInt(versions.size()));
            change(
                jobs.restore(job.id(), one.generation()).thenApply(Optional::of),
                () -> enableAgain(job));
          }
        },
        () -> {});
  }

  private void delete(Job job) {
    long since = acknowledged.newest(job.id());
    hear(
        jobs.delete(job.id()),
        gone -> {
          if (gone) {
            acknowledged.deleted(job.id(), since);
          }
          createAgain(job);
        },
        () -> createAgain(job));
  }

  private void createAgain(Job job) {
    later(Duration.ofMillis(700), () -> save(job));
  }

  private void enableAgain(Job job) {
    var unused = loop.after(Duration.ofMillis(node.random().nextInt(2000)), () -> {
      if (!closing()) {
        change(jobs.enable(job.id(), true), () -> {});
      }
    });
  }
}
