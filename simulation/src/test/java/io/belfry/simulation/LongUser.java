package io.belfry.simulation;

import io.belfry.core.jobs.Jobs;
import io.belfry.core.jobs.Requests;
import io.belfry.core.jobs.TriggerOptions;
import io.belfry.core.loop.Loop;
import io.belfry.core.submit.Submission;
import io.belfry.core.submit.Submitter;
import io.belfry.core.worker.WorkerOrders;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobBuilder;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Payload;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Somebody who uses Belfry for two months: jobs that stay, jobs that are changed, jobs that are deleted and created again on the same day
 * or a month later, submissions with keys, triggers for now and for instants to come, and orders to workers.
 *
 * <p>Threading: confined to its world.
 */
final class LongUser {
  static final String SLOW = "slow";

  private static final Duration AGAIN = Duration.ofMinutes(1);
  private static final Duration WINDOW = Duration.ofDays(7);
  private static final Duration EVERY = Duration.ofHours(2);
  private static final Duration PHOENIX_GOES = Duration.ofDays(3);
  /** More than 30 days later: its versions have been dropped. */
  private static final Duration PHOENIX_COMES = Duration.ofDays(35);

  private static final int SUBMISSIONS_A_DAY = 12;
  private static final int TRIGGERS_A_DAY = 4;

  private final SimNode node;
  private final World world;
  private final Loop loop;
  private final Jobs jobs;
  private final Requests requests;
  private final Submitter submitter;
  private final WorkerOrders orders;
  private long definitions;

  LongUser(Cluster.Booted process, World world) {
    this.node = process.node();
    this.world = world;
    this.loop = node.loop();
    Store store = process.store();
    this.jobs = new Jobs(loop, store);
    this.requests = new Requests(loop, store, WINDOW);
    this.submitter = new Submitter(loop, store, node.id(), WINDOW, 100);
    this.orders = new WorkerOrders(loop, store);
  }

  void start() {
    save(() -> job("steady").every(EVERY));
    save(() -> job("few").every(Duration.ofHours(3)).retainLast(5));
    save(() -> job(SLOW).every(Duration.ofHours(1)).timeout(Duration.ofHours(5)));
    save(() -> job("phoenix").every(EVERY));
    later(PHOENIX_GOES, () -> delete("phoenix", () -> {}));
    later(PHOENIX_COMES, () -> save(() -> job("phoenix").every(EVERY)));
    everyDay();
  }

  /** Each definition has a payload of its own. */
  private JobBuilder job(String id) {
    return Job.named(id)
        .local("noop")
        .payload(Payload.json("{\"definition\": " + ++definitions + "}"));
  }

  private interface Definition {
    JobBuilder next();
  }

  private void later(Duration delay, Runnable step) {
    var unused = loop.after(delay, step);
  }

  private Duration within(Duration span) {
    return Duration.ofMillis(node.random().nextLong(span.toMillis()));
  }

  private void save(Definition definition) {
    Job job = definition.next().build();
    loop.onResult(jobs.put(job), saved -> {}, failure -> later(AGAIN, () -> save(definition)));
  }

  private void delete(String id, Runnable then) {
    loop.onResult(
        jobs.delete(new JobId(id)),
        gone -> then.run(),
        failure -> later(AGAIN, () -> delete(id, then)));
  }

  private void everyDay() {
    later(LongScenario.DAY, this::everyDay);
    long day = Duration.ofNanos(world.now()).toDays();
    Duration most = Duration.ofHours(20);
    for (int i = 0; i < SUBMISSIONS_A_DAY; i++) {
      later(within(most), this::submit);
    }
    for (int i = 0; i < TRIGGERS_A_DAY; i++) {
      later(within(most), this::trigger);
    }
    later(within(most), () -> save(() -> job("edited").every(Duration.ofHours(4))));
    later(within(most), () -> orderAWorker());
    for (int i = 0; i < 2; i++) {
      String id = "brief-" + day + "-" + i;
      later(within(most), () -> {
        Instant soon = SimTime.trueTime(world).plusSeconds(600);
        save(() -> job(id).at(soon));
        later(Duration.ofHours(2), () -> delete(id, () -> {}));
      });
    }
    later(
        within(most),
        () -> delete("lark", () -> {
          // The same instants come again, some of which somebody has asked of the one that is gone.
          later(within(EVERY), () -> save(() -> job("lark").cron("0 0 */2 * * *", ZoneOffset.UTC)));
        }));
  }

  private void submit() {
    Instant now = SimTime.trueTime(world);
    TaskId id = TaskId.oneOff(now, node.random());
    Work work = Work.of("one-off", ExecutorSpec.local("noop"));
    Optional<String> once =
        node.random().nextInt(3) == 0 ? Optional.empty() : Optional.of("key:" + id);
    hear(submitter.submit(new Submission(Task.pending(id, work, Priority.NORMAL, now, now), once)));
  }

  private void trigger() {
    var lark = new JobId("lark");
    if (node.random().nextBoolean()) {
      hear(requests.trigger(new JobId("steady"), TriggerOptions.NONE, "user"));
      return;
    }
    loop.onResult(
        jobs.get(lark),
        found -> found.ifPresent(job -> loop.onResult(
            jobs.preview(job).thenApply(preview -> preview.coming(3)),
            instants -> {
              Instant at = instants.get(node.random().nextInt(instants.size()));
              hear(requests.trigger(lark, TriggerOptions.NONE.at(at), "user"));
            },
            failure -> world.count("failures"))),
        failure -> world.count("failures"));
  }

  private void orderAWorker() {
    String worker = node.random().nextBoolean() ? "w1" : "w2";
    loop.onResult(
        orders.drain(worker, "user"),
        drained -> later(Duration.ofMinutes(5), () -> resume(worker)),
        failure -> resume(worker));
  }

  private void resume(String worker) {
    loop.onResult(
        orders.resume(worker, "user"),
        resumed -> {},
        failure -> later(AGAIN, () -> resume(worker)));
  }

  private void hear(CompletionStage<?> stage) {
    loop.onResult(stage, answer -> world.count("answers"), failure -> world.count("failures"));
  }
}
