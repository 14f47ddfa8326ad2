package io.belfry.store.redis;

import static io.belfry.testkit.contract.Subject.WATCHED;
import static io.belfry.testkit.contract.Subject.key;
import static io.belfry.testkit.contract.Subject.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belfry.model.time.Time;
import io.belfry.store.Commit;
import io.belfry.store.Feed;
import io.belfry.store.Key;
import io.belfry.store.Outcome;
import io.belfry.store.Space;
import io.belfry.store.StoreException;
import io.belfry.store.Watch;
import io.belfry.testkit.contract.WatchProbe;
import io.belfry.testkit.engine.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.HostAndPort;

/** No thread of the store ends on an exception while it is open, wherever it is thrown. */
class RedisThreadsTest {
  private final RedisServer server = RedisServer.start();

  @AfterEach
  void stop() {
    server.close();
  }

  /** What is thrown. */
  enum Thrown {
    RUNTIME_EXCEPTION,
    ERROR;

    void now() {
      if (this == RUNTIME_EXCEPTION) {
        throw new IllegalStateException("a bug, on purpose");
      }
      throw new AssertionError("an error, on purpose");
    }
  }

  /** Throws at the calls that it is told to. Threading: safe. */
  private static final class Spoiler {
    private final AtomicInteger calls = new AtomicInteger();
    private volatile Runnable what = () -> {};

    <T> T pass(Supplier<T> call) {
      calls.incrementAndGet();
      what.run();
      return call.get();
    }
  }

  private record Parts(Spoiler locate, Spoiler dial, Spoiler time) {
    Parts() {
      this(new Spoiler(), new Spoiler(), new Spoiler());
    }

    List<Spoiler> all() {
      return List.of(locate, dial, time);
    }
  }

  private RedisStore connect(Parts parts) {
    RedisSettings settings = RedisSettings.at(server.uri())
        .namespace("threads")
        .timeouts(new RedisSettings.Timeouts(
            Duration.ofMillis(300), Duration.ofMillis(300), Duration.ofSeconds(1)));
    var time = new Time() {
      @Override
      public Instant wall() {
        return Time.system().wall();
      }

      @Override
      public long nanos() {
        return parts.time.pass(() -> Time.system().nanos());
      }
    };
    var dialer = new Dialer(settings, time) {
      @Override
      Wire dial(HostAndPort at) {
        return parts.dial.pass(() -> super.dial(at));
      }
    };
    Locator found = Locator.of(settings, dialer);
    return RedisStore.connect(settings, dialer, () -> parts.locate.pass(found::locate), time);
  }

  @ParameterizedTest
  @EnumSource
  void what_throws_at_every_call_for_a_while_ends_no_thread(Thrown thrown) {
    var parts = new Parts();
    try (RedisStore store = connect(parts)) {
      WatchProbe ear = new WatchProbe();
      try (Watch watch = store.watch(Feed.of(WATCHED), Watch.NOW, ear)) {
        ear.opened();
        put(store, key(WATCHED, "a"), "0");
        for (Spoiler each : parts.all()) {
          each.what = thrown::now;
          server.ask("CLIENT", "KILL", "TYPE", "normal");
          int before = each.calls.get();
          await("it throws a few times")
              .atMost(Duration.ofSeconds(30))
              .until(() -> each.calls.get() >= before + 5);
          each.what = () -> {};
          await("the store works again")
              .atMost(Duration.ofSeconds(30))
              .ignoreExceptionsMatching(e -> e instanceof StoreException)
              .until(() -> put(store, key(WATCHED, "a"), "v") > 0);
        }
      }
      assertThat(threads())
          .anyMatch(name -> name.endsWith("link"))
          .anyMatch(name -> name.endsWith("feeds"))
          .anyMatch(name -> name.endsWith("watchdog"))
          .anyMatch(name -> name.endsWith("topology"))
          .anyMatch(name -> name.endsWith("reader"));
      WatchProbe again = new WatchProbe();
      try (Watch watch = store.watch(Feed.of(WATCHED), Watch.NOW, again)) {
        again.opened();
        long revision = put(store, key(WATCHED, "a"), "last");
        assertThat(again.changed().revision()).isEqualTo(revision);
      }
    }
    assertThat(threads()).isEmpty();
  }

  /** One question that cannot even be written must not break the connection for the others. */
  @Test
  void a_call_that_cannot_be_encoded_fails_alone() {
    try (RedisStore store = connect(new Parts())) {
      put(store, key(WATCHED, "a"), "1");
      var answers = new ArrayList<CompletionStage<Outcome>>();
      for (int i = 0; i < 300; i++) {
        answers.add(store.commit(
            Commit.when().put(Key.of(Space.plain("s" + i), "k"), new byte[1]).build()));
      }
      await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () -> answers.stream().allMatch(each -> each.toCompletableFuture().isDone()));
      put(store, key(WATCHED, "a"), "2");
    }
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("belfry-redis-threads"))
        .toList();
  }
}
