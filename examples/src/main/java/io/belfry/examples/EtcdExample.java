package io.belfry.examples;

import io.belfry.core.event.Happening.TaskCompleted;
import io.belfry.library.Belfry;
import io.belfry.library.Settings;
import io.belfry.library.Submission;
import io.belfry.library.Submitted;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** A hundred tasks in one batch on etcd, then the figures. */
public final class EtcdExample {
  private static final int TASKS = 100;

  private EtcdExample() {}

  /**
   * Runs it.
   *
   * @param args the address; {@code etcd://localhost:2379} if there is none
   */
  public static void main(String[] args) throws InterruptedException {
    String store = args.length > 0 ? args[0] : "etcd://localhost:2379";
    var ended = new CountDownLatch(TASKS);
    Settings settings = Settings.defaults().store(store).namespace("example").workerCapacity(50);
    try (Belfry belfry = Belfry.open(settings, node -> {
      node.handleWithResult("square", Integer.class, (number, attempt) -> number * number);
      node.on(TaskCompleted.class, event -> ended.countDown());
    })) {
      List<Submitted> outcomes = belfry.submitAll(IntStream.range(0, TASKS)
          .mapToObj(number -> Submission.local("square", number))
          .toList());
      long accepted =
          outcomes.stream().filter(Submitted.Accepted.class::isInstance).count();
      System.out.println(accepted + " of " + TASKS + " accepted");
      if (!ended.await(1, TimeUnit.MINUTES)) {
        throw new IllegalStateException(ended.getCount() + " tasks did not end within a minute.");
      }
      System.out.println("all ended well");
      System.out.println(belfry.metrics());
    }
  }
}
