package io.belfry.core.leader.assign;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.keys.Keys;
import io.belfry.core.node.SmallNode;
import io.belfry.core.record.EndedBatch;
import io.belfry.core.record.Forgotten;
import io.belfry.core.record.Records;
import io.belfry.core.submit.Submission;
import io.belfry.core.submit.Submitter;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Limit;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Rate;
import io.belfry.model.job.Work;
import io.belfry.model.task.Command;
import io.belfry.model.task.Decision;
import io.belfry.model.task.Result;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskLife;
import io.belfry.model.task.Token;
import io.belfry.model.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a new leader makes of what was begun before it, on a store in memory. */
class RatesTest {
  private static final int SECONDS = 60;
  private static final Limit THREE_AN_HOUR =
      Limit.rate(new Rate(3, Rate.Unit.HOUR)).by("k");

  private final SmallNode node = new SmallNode();
  private final SplittableRandom random = new SplittableRandom(1);
  private final BlockingQueue<String> ran = new LinkedBlockingQueue<>();
  private long batches;

  @AfterEach
  void nothingBroke() {
    node.close();
  }

  private void lead() {
    node.schedule();
    node.work(100, task -> ran.add(task.work().name()));
  }

  private Task pending(String name, Limit limit, Instant at) {
    Work work = Work.of(name, ExecutorSpec.local("noop")).withLimit(limit);
    return Task.pending(TaskId.oneOff(at, random), work, Priority.NORMAL, at, at);
  }

  private void waits(String name, Limit limit) {
    Task task = pending(name, limit, Time.system().wall());
    node.put(Keys.task(task.id()), Records.encode(task));
  }

  /** Given out by an earlier leader, and over. */
  private void ended(Duration ago) {
    Instant at = Time.system().wall().minus(ago);
    Task task = pending("before", THREE_AN_HOUR, at);
    task = after(task, new Command.Assign(new Token(1), "w~1"), at);
    task = after(task, new Command.Complete(task.token(), at, Result.OK), at);
    node.put(
        Keys.freshHistory("w~1", ++batches), Records.encode(new EndedBatch(true, List.of(task))));
  }

  private Task after(Task task, Command command, Instant at) {
    return switch (TaskLife.decide(task, command, at, random)) {
      case Decision.Accepted(var events) -> TaskLife.apply(task, events);
      case Decision.Refused(var reason) -> throw new AssertionError(reason);
    };
  }

  private String next() throws InterruptedException {
    return String.valueOf(ran.poll(SECONDS, TimeUnit.SECONDS));
  }

  /** What is not limited runs in the same turn as what may run of the rest. */
  private void nothingElseRuns() throws Exception {
    var submitter = new Submitter(node.scheduling, node.store, "client~1", Duration.ofDays(1), 100);
    node.scheduling.post(() -> {
      var unused = submitter.submit(
          Submission.of(pending("free", Limit.NONE, Time.system().wall())));
    });
    assertThat(next()).isEqualTo("free");
    assertThat(ran).isEmpty();
  }

  @Test
  void what_was_begun_within_the_window_counts_and_the_rest_goes_on_at_once() throws Exception {
    ended(Duration.ofMinutes(90));
    ended(Duration.ofMinutes(50));
    ended(Duration.ofMinutes(1));
    for (int i = 0; i < 3; i++) {
      waits("limited", THREE_AN_HOUR);
    }
    lead();
    assertThat(next()).isEqualTo("limited");
    nothingElseRuns();
  }

  @Test
  void where_history_is_forgotten_the_window_must_pass() throws Exception {
    node.put(
        Keys.FORGOTTEN,
        Records.encode(
            new Forgotten(Time.system().wall().minus(Duration.ofMinutes(10)).toEpochMilli())));
    waits("limited", THREE_AN_HOUR);
    lead();
    nothingElseRuns();
  }

  @Test
  void what_was_forgotten_before_the_window_does_not_matter() throws Exception {
    node.put(
        Keys.FORGOTTEN,
        Records.encode(
            new Forgotten(Time.system().wall().minus(Duration.ofMinutes(61)).toEpochMilli())));
    waits("limited", THREE_AN_HOUR);
    lead();
    assertThat(next()).isEqualTo("limited");
  }
}
