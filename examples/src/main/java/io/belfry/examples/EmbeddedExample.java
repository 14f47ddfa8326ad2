package io.belfry.examples;

import io.belfry.core.event.Happening.TaskCompleted;
import io.belfry.library.Belfry;
import io.belfry.library.Payloads;
import io.belfry.library.Settings;
import io.belfry.library.Submission;
import io.belfry.model.job.Job;
import io.belfry.model.job.Priority;
import io.belfry.model.task.TaskId;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Everything in one process, kept in a directory: a job every second and a delayed task, until four of them have ended. */
public final class EmbeddedExample {
  private EmbeddedExample() {}

  /** What the handler is given. */
  public record Invoice(String customer, int cents) {}

  /**
   * Runs it.
   *
   * @param args the directory; {@code belfry-data} if there is none
   */
  public static void main(String[] args) throws InterruptedException {
    String directory = args.length > 0 ? args[0] : "belfry-data";
    var ended = new CountDownLatch(4);
    try (Belfry belfry = Belfry.open(Settings.defaults().store("embedded:" + directory))) {
      belfry.handle(
          "send-invoice",
          Invoice.class,
          (invoice, attempt) -> System.out.println(
              attempt.task() + ": " + invoice + " under token " + attempt.token()));
      belfry.on(TaskCompleted.class, event -> {
        System.out.println(event.task().id() + " took " + event.took().toMillis() + " ms");
        ended.countDown();
      });
      belfry
          .jobs()
          .save(Job.named("every-second")
              .cron("* * * * * *", ZoneOffset.UTC)
              .local("send-invoice", Payloads.of(new Invoice("everybody", 100)))
              .build());
      TaskId id = belfry.submit(Submission.local("send-invoice", new Invoice("ada", 1200))
          .in(Duration.ofSeconds(2))
          .priority(Priority.HIGH));
      System.out.println("submitted " + id);
      boolean all = ended.await(1, TimeUnit.MINUTES);
      belfry.jobs().delete("every-second");
      if (!all) {
        throw new IllegalStateException("Not everything ended within a minute.");
      }
      System.out.println("done");
    }
  }
}
