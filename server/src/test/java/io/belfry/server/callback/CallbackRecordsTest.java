package io.belfry.server.callback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belfry.core.execute.AttemptContext;
import io.belfry.executors.http.Callbacks;
import io.belfry.model.task.Result;
import io.belfry.model.task.TaskId;
import io.belfry.model.time.Time;
import io.belfry.server.access.TestRecordTable;
import io.belfry.store.DelegatingStore;
import io.belfry.store.Feed;
import io.belfry.store.Store;
import io.belfry.store.Watch;
import io.belfry.store.Watcher;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The report of a service reaches the worker, whatever happens to the watch; forged addresses are refused without a lookup. */
@Timeout(60)
class CallbackRecordsTest {
  private record Opened(Watch watch, Watcher watcher) {}

  private final List<Opened> watches = new CopyOnWriteArrayList<>();

  @TempDir
  private Path own;

  private Store recorded(Store store) {
    return new DelegatingStore(store) {
      @Override
      public Watch watch(Feed feed, long after, Watcher watcher) {
        Watch watch = super.watch(feed, after, watcher);
        watches.add(new Opened(watch, watcher));
        return watch;
      }
    };
  }

  private static AttemptContext attempt() {
    return (AttemptContext) Proxy.newProxyInstance(
        CallbackRecordsTest.class.getClassLoader(),
        new Class<?>[] {AttemptContext.class},
        (proxy, method, arguments) -> switch (method.getName()) {
          case "task" -> TaskId.parse("film");
          case "timeout" -> Duration.ofMinutes(1);
          default -> throw new AssertionError(method);
        });
  }

  private static CallbackRecords table(TestRecordTable open) {
    return new CallbackRecords(
        open.table,
        open.namespaces,
        Time.system(),
        new SecureRandom(),
        () -> Optional.of("http://127.0.0.1:1"));
  }

  private static String token(Callbacks.Callback callback) {
    String url = callback.url().toString();
    return url.substring(url.lastIndexOf('/') + 1);
  }

  @Test
  void what_is_told_after_the_watch_has_ended_is_heard() throws Exception {
    try (var open = new TestRecordTable(own, Time.system(), this::recorded);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      String scope = open.namespaces.create("films", "").orElseThrow().scope();
      CallbackRecords table = table(open);
      try (var callback = table.of(scope).open(attempt()).orElseThrow()) {
        var waiting = threads.submit(callback::await);
        Opened last = watches.getLast();
        last.watch.close();
        last.watcher.compacted();
        await().atMost(Duration.ofSeconds(20)).until(() -> !watches.getLast().equals(last));
        var told = new CallbackRecords.Report(true, 0, "rendered", Optional.empty());
        assertThat(table.report(token(callback), told)).isEqualTo(CallbackRecords.Outcome.ACCEPTED);
        Result result = waiting.get(20, TimeUnit.SECONDS);
        assertThat(result.message()).isEqualTo("rendered");
      }
    }
  }

  @Test
  void addresses_are_known_by_their_signature() throws Exception {
    try (var open = new TestRecordTable(own, Time.system(), store -> store)) {
      String scope = open.namespaces.create("films", "").orElseThrow().scope();
      CallbackRecords table = table(open);
      try (var callback = table.of(scope).open(attempt()).orElseThrow()) {
        String token = token(callback);
        char last = token.charAt(token.length() - 2);
        String forged = token.substring(0, token.length() - 2)
            + (last == 'A' ? 'B' : 'A')
            + token.substring(token.length() - 1);
        assertThat(table.origin(token)).isEqualTo(CallbackRecords.Origin.SIGNED);
        assertThat(table.origin(forged)).isEqualTo(CallbackRecords.Origin.FOREIGN);
        assertThat(table.origin("x".repeat(43))).isEqualTo(CallbackRecords.Origin.UNSIGNED);
        assertThat(table.origin("")).isEqualTo(CallbackRecords.Origin.FOREIGN);
      }
    }
  }
}
