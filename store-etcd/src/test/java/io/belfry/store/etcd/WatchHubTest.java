package io.belfry.store.etcd;

import static io.belfry.testkit.contract.Subject.key;
import static io.belfry.testkit.contract.Subject.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belfry.model.time.Time;
import io.belfry.store.Change;
import io.belfry.store.Endpoint;
import io.belfry.store.Feed;
import io.belfry.store.LogLimiter;
import io.belfry.store.Space;
import io.belfry.store.Store;
import io.belfry.store.Watch;
import io.belfry.store.Watcher;
import io.belfry.testkit.contract.WatchProbe;
import io.belfry.testkit.engine.EtcdServer;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nothing that is thrown ends the hub: watches go on, and miss nothing. */
@Timeout(60)
class WatchHubTest {
  private static final Space SPACE = Space.plain("s").watchedTogether();
  private static final int FAULTY_CHANNELS = 3;

  private EtcdServer etcd;
  private Store writer;

  @BeforeEach
  void open() {
    etcd = EtcdServer.start();
    writer = EtcdStore.connect(EtcdSettings.of(etcd.uri(), "ns"));
  }

  @AfterEach
  void close() {
    writer.close();
    etcd.close();
  }

  @ParameterizedTest
  @EnumSource(names = {"NEW_CALL", "START", "REQUEST", "SEND"})
  void watches_open_though_connections_throw(FaultyChannel.Step step) {
    EtcdSettings settings = EtcdSettings.of(etcd.uri(), "ns");
    var threads = new Threads();
    var channels = new Channels(settings, Optional.empty(), threads);
    var link = new Link(settings.endpoints(), member -> channels.dial(member, Runnable::run));
    var dialled = new AtomicInteger();
    var watchLink = new Link(
        settings.endpoints(),
        member -> dialled.incrementAndGet() <= FAULTY_CHANNELS
            ? new FaultyChannel().failAt(step)
            : dial(channels, member, threads));
    var limiter = LogLimiter.everyMinute(Time.system());
    var calls = new Calls(
        link, Time.system(), threads.timer(), settings.timeouts(), Optional.empty(), limiter);
    var names = new Names(settings.prefix());
    var eras = new EpochGuard(calls, names);
    eras.settle().join();
    var troubles = new EngineTroubleLog("etcd watches", "", Time.system(), limiter);
    var reads = new Reads(calls, eras, names);
    try (var hub =
        new WatchHub(watchLink, calls.tokens(), reads, eras, names, troubles, threads.watch())) {
      WatchProbe ear = new WatchProbe();
      Watch unused = hub.watch(Feed.of(SPACE), Watch.NOW, ear);
      ear.opened();
      long revision = put(writer, key(SPACE, "a"), "1");
      assertThat(ear.changed().revision()).isEqualTo(revision);
      assertThat(dialled.get()).isGreaterThan(FAULTY_CHANNELS);
    } finally {
      calls.close();
      threads.close(Time.system(), link, watchLink);
    }
  }

  @Test
  void a_watch_that_is_closed_while_etcd_is_away_is_not_looked_after_any_longer() {
    EtcdSettings settings = EtcdSettings.of(etcd.uri(), "ns");
    var threads = new Threads();
    var channels = new Channels(settings, Optional.empty(), threads);
    FaultyChannel away = new FaultyChannel().failAt(FaultyChannel.Step.NEW_CALL);
    var dialled = new AtomicInteger();
    var link = new Link(
        settings.endpoints(),
        member -> dialled.incrementAndGet() == 1 ? channels.dial(member, Runnable::run) : away);
    var watchLink =
        new Link(settings.endpoints(), member -> channels.dial(member, threads.watch()));
    var limiter = LogLimiter.everyMinute(Time.system());
    var quick = new EtcdSettings.Timeouts(
        Duration.ofMillis(20), Duration.ofMillis(60), Duration.ofMillis(50), Duration.ofMillis(50));
    var calls = new Calls(
        link, Time.system(), threads.timer(), settings.timeouts(), Optional.empty(), limiter);
    var names = new Names(settings.prefix());
    var eras = new EpochGuard(calls, names);
    eras.settle().join();
    link.cut(link.line());
    var hasty = new Calls(link, Time.system(), threads.timer(), quick, Optional.empty(), limiter);
    var reads = new Reads(hasty, eras, names);
    var troubles = new EngineTroubleLog("etcd watches", "", Time.system(), limiter);
    try (var hub =
        new WatchHub(watchLink, hasty.tokens(), reads, eras, names, troubles, threads.watch())) {
      for (int i = 0; i < 20; i++) {
        hub.watch(Feed.of(SPACE), Watch.NOW, new WatchProbe()).close();
      }
      await("nobody asks any more")
          .atMost(Duration.ofSeconds(20))
          .during(Duration.ofSeconds(3))
          .until(unchanged(away));
    } finally {
      hasty.close();
      calls.close();
      threads.close(Time.system(), link, watchLink);
    }
  }

  /** Whether no call was made since it was asked last. */
  private static Callable<Boolean> unchanged(FaultyChannel channel) {
    var last = new AtomicInteger(-1);
    return () -> {
      int now = channel.calls();
      return last.getAndSet(now) == now;
    };
  }

  private static ManagedChannel dial(Channels channels, Endpoint member, Threads threads) {
    return channels.dial(member, threads.watch());
  }

  @Test
  void a_watcher_that_throws_an_error_must_scan_again_and_the_others_hear_on() {
    WatchProbe good = new WatchProbe();
    var bad = new Watcher() {
      private final AtomicInteger compactions = new AtomicInteger();

      @Override
      public void changed(long revision, List<Change> changes) {
        throw new AssertionError("a watcher's own bug");
      }

      @Override
      public void compacted() {
        compactions.incrementAndGet();
      }
    };
    try (Watch first = writer.watch(Feed.of(SPACE), Watch.NOW, good);
        Watch second = writer.watch(Feed.of(SPACE), Watch.NOW, bad)) {
      good.opened();
      put(writer, key(SPACE, "a"), "1");
      put(writer, key(SPACE, "a"), "2");
      good.changed();
      good.changed();
      await().atMost(Duration.ofSeconds(10)).until(() -> bad.compactions.get() == 1);
    }
  }

  @Test
  void a_key_that_another_program_wrote_into_a_space_ends_nothing() {
    WatchProbe ear = new WatchProbe();
    try (Watch watch = writer.watch(Feed.of(SPACE), Watch.NOW, ear)) {
      ear.opened();
      etcd.gateway().put("/belfry/ns/s/", "no name");
      etcd.gateway().put("/belfry/ns/s/" + "x".repeat(2_000), "too long a name");
      long revision = put(writer, key(SPACE, "a"), "1");
      WatchProbe.Event.Changed heard = ear.changed();
      while (heard.changes().isEmpty()) {
        heard = ear.changed();
      }
      assertThat(heard.revision()).isEqualTo(revision);
    }
  }
}
