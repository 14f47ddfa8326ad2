package io.belfry.server.demo;

import io.belfry.core.execute.AttemptContext;
import io.belfry.library.Belfry;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The handlers of the demo, registered as in a program that embeds Belfry. Threading: safe. */
final class DemoHandlers {
  private static final Duration STEP = Duration.ofMillis(700);
  private static final Duration MAIL = Duration.ofMillis(150);
  private static final int STEPS = 10;

  private final CountDownLatch over;

  DemoHandlers(CountDownLatch over) {
    this.over = over;
  }

  /** Orders to import. */
  record InboxWatch(int rows, String from) {}

  /** A mail of the backlog. */
  record Mail(String to, String subject) {}

  void register(Belfry belfry) {
    belfry.handleWithResult("import", InboxWatch.class, this::importOrders);
    belfry.handleWithResult("send-mail", Mail.class, this::send);
    belfry.handle(
        "notify",
        attempt -> attempt.log("Notifying the operator of a failure: "
            + attempt.job().map(Object::toString).orElse("a task")));
  }

  /** Takes some seconds and reports its progress. */
  private @Nullable Object importOrders(InboxWatch orders, AttemptContext attempt)
      throws InterruptedException {
    attempt.log("Importing " + orders.rows() + " rows from " + orders.from() + ".");
    int done = 0;
    for (int step = 1; step <= STEPS; step++) {
      pause(STEP);
      int until = orders.rows() * step / STEPS;
      attempt.log(String.format(
          Locale.ROOT, "rows %d to %d: %d new, 0 refused", done + 1, until, until - done));
      attempt.progress((double) step / STEPS, until + " of " + orders.rows() + " rows");
      done = until;
    }
    attempt.log("Done.");
    return Map.of("imported", done, "refused", 0);
  }

  private @Nullable Object send(Mail mail, AttemptContext attempt) throws InterruptedException {
    attempt.log("To " + mail.to() + ": " + mail.subject());
    pause(MAIL);
    attempt.log("Response of the mail server: 250 OK");
    return Map.of("messageId", attempt.idempotencyKey() + "@demo");
  }

  private void pause(Duration time) throws InterruptedException {
    if (over.await(time.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new CancellationException("the demo is over");
    }
  }
}
