package io.belfry.examples;

import io.belfry.core.event.Happening.LeaderChanged;
import io.belfry.core.event.Happening.TaskCompleted;
import io.belfry.library.Belfry;
import io.belfry.library.Settings;
import io.belfry.model.job.Job;
import java.time.ZoneOffset;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Two nodes on one Redis: the leader stops, and the other goes on firing. */
public final class RedisExample {
  private RedisExample() {}

  /**
   * Runs it.
   *
   * @param args the address; {@code redis://localhost:6379} if there is none
   */
  public static void main(String[] args) throws InterruptedException {
    String store = args.length > 0 ? args[0] : "redis://localhost:6379";
    Settings settings = Settings.defaults().store(store).namespace("example");
    var byFirst = new CountDownLatch(2);
    var bySecond = new CountDownLatch(2);
    try (Belfry first = open(settings.node("first"), byFirst)) {
      first
          .jobs()
          .save(Job.named("every-second")
              .cron("* * * * * *", ZoneOffset.UTC)
              .local("tick")
              .build());
      report(byFirst);
      try (Belfry second = open(settings.node("second"), bySecond)) {
        first.close();
        report(bySecond);
        second.jobs().delete("every-second");
      }
    }
  }

  private static Belfry open(Settings settings, CountDownLatch ended) {
    return Belfry.open(settings, belfry -> {
      belfry.handle("tick", attempt -> System.out.println("  " + attempt.task()));
      belfry.on(
          LeaderChanged.class,
          event -> System.out.println(
              event.term().leader() + " leads, term " + event.term().number()));
      belfry.on(TaskCompleted.class, event -> ended.countDown());
    });
  }

  private static void report(CountDownLatch ended) throws InterruptedException {
    if (!ended.await(1, TimeUnit.MINUTES)) {
      throw new IllegalStateException("It did not fire twice within a minute.");
    }
    System.out.println("fired twice");
  }
}
