package io.belfry.store.redis;

import static io.belfry.testkit.contract.Subject.INBOX;
import static io.belfry.testkit.contract.Subject.WATCHED;
import static io.belfry.testkit.contract.Subject.done;
import static io.belfry.testkit.contract.Subject.key;
import static io.belfry.testkit.contract.Subject.put;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.belfry.store.Change;
import io.belfry.store.Commit;
import io.belfry.store.Feed;
import io.belfry.store.Key;
import io.belfry.store.Watch;
import io.belfry.store.Watcher;
import io.belfry.testkit.contract.WatchProbe;
import io.belfry.testkit.engine.RedisServer;
import io.belfry.testkit.engine.TcpProxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A watch never misses a change in silence: it hears it, or that it must scan again. */
class RedisWatchGapTest {
  private final RedisServer server = RedisServer.start();
  private final TcpProxy wire = TcpProxy.to(server.port());

  @AfterEach
  void stop() {
    wire.close();
    server.close();
  }

  private static RedisSettings.FeedLimits limits(long bytes, Duration keep) {
    return new RedisSettings.FeedLimits(bytes, 100_000, keep);
  }

  private RedisStore connect(int port, RedisSettings.FeedLimits limits) {
    return RedisStore.connect(RedisSettings.at("redis://127.0.0.1:" + port)
        .feed(limits)
        .timeouts(new RedisSettings.Timeouts(
            Duration.ofMillis(500), Duration.ofMillis(500), Duration.ofSeconds(2))));
  }

  /** The whole feed is gone when the watch is connected again: XREAD then returns nothing, as if nothing had happened. */
  @Test
  void a_feed_that_was_deleted_while_a_watch_was_cut_off() {
    Key changed = key(WATCHED, "a");
    try (RedisStore cutOff = connect(wire.port(), limits(1 << 20, Duration.ofHours(1)));
        RedisStore other = connect(server.port(), limits(1 << 20, Duration.ofMillis(1)))) {
      WatchProbe ear = new WatchProbe();
      try (Watch watch = cutOff.watch(Feed.of(WATCHED), Watch.NOW, ear)) {
        ear.opened();
        wire.cut();
        put(other, changed, "while it was cut off");
        awaitDeleted(other, "w");
        wire.mend();
        ear.awaitCompacted();
      }
    }
  }

  /** Sweeping is done by clients that watch something. */
  private void awaitDeleted(RedisStore sweeps, String feed) {
    WatchProbe ear = new WatchProbe();
    try (Watch watch = sweeps.watch(Feed.of(key(INBOX, "sweeps")), Watch.NOW, ear)) {
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> server.ask("EXISTS", "{belfry:default}f" + feed).equals(List.of("0")));
    }
  }

  /** One change that is larger than all feeds may be together is cut off in the step that wrote it. */
  @Test
  void a_change_that_was_trimmed_before_it_could_be_read() {
    try (RedisStore store = connect(server.port(), limits(64 << 10, Duration.ofHours(1)))) {
      WatchProbe ear = new WatchProbe();
      WatchProbe quiet = new WatchProbe();
      try (Watch watch = store.watch(Feed.of(WATCHED), Watch.NOW, ear);
          Watch other = store.watch(Feed.of(key(INBOX, "quiet")), Watch.NOW, quiet)) {
        ear.opened();
        quiet.opened();
        done(store, Commit.when().put(key(WATCHED, "large"), new byte[300 << 10]));
        ear.awaitCompacted();
        long revision = put(store, key(INBOX, "quiet"), "1");
        assertThat(quiet.changed().revision())
            .as("the other watch missed nothing")
            .isEqualTo(revision);
      }
    }
  }

  /** Interrupts the thread that calls it, as code does that was interrupted itself and passes it on. */
  private static final class Interrupter implements Watcher {
    @Override
    public void opened(long revision) {
      Thread.currentThread().interrupt();
    }

    @Override
    public void changed(long revision, List<Change> changes) {
      Thread.currentThread().interrupt();
    }

    @Override
    public void compacted() {}
  }

  @Test
  void a_watcher_that_interrupts_the_thread_ends_no_watch() {
    try (RedisStore store = connect(server.port(), limits(1 << 20, Duration.ofHours(1)))) {
      for (int i = 0; i < 3; i++) {
        Watch watch = store.watch(Feed.of(WATCHED), Watch.NOW, new Interrupter());
        put(store, key(WATCHED, "a"), "1");
        watch.close();
        await("nobody watches, so that the connection for feeds is given up")
            .atMost(Duration.ofSeconds(30))
            .until(() -> feedConnections().isEmpty());
        WatchProbe ear = new WatchProbe();
        try (Watch next = store.watch(Feed.of(key(INBOX, "w" + i)), Watch.NOW, ear)) {
          ear.opened();
          put(store, key(INBOX, "w" + i), "1");
          ear.changed();
        }
      }
    }
  }

  /** Commits succeed meanwhile, so that nothing but this line says that watches are silent. */
  @Test
  void watches_that_get_no_connection_are_reported() {
    try (LogLines log = new LogLines();
        RedisStore store = connect(server.port(), limits(1 << 20, Duration.ofHours(1)))) {
      WatchProbe ear = new WatchProbe();
      try (Watch watch = store.watch(Feed.of(WATCHED), Watch.NOW, ear)) {
        ear.opened();
        leaveRoomForOneConnection();
        await()
            .atMost(Duration.ofSeconds(30))
            .untilAsserted(() -> assertThat(log.at(Level.WARN))
                .anyMatch(line -> line.contains("watches") && line.contains("max number")));
      }
    }
  }

  /** For that of commits, which stays; the one on which feeds are read is killed, and refused when it is made again. */
  private void leaveRoomForOneConnection() {
    List<String> feeds = await()
        .atMost(Duration.ofSeconds(30))
        .until(this::feedConnections, found -> !found.isEmpty());
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket
          .getOutputStream()
          .write(("CONFIG SET maxclients 1\r\nCLIENT KILL ID " + feeds.getFirst() + "\r\n")
              .getBytes(US_ASCII));
      assertThat(new String(socket.getInputStream().readNBytes(9), US_ASCII))
          .isEqualTo("+OK\r\n:1\r\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<String> feedConnections() {
    return server
        .ask("CLIENT", "LIST")
        .getFirst()
        .lines()
        .filter(line -> line.contains(" cmd=xread "))
        .map(line -> line.replaceAll("^id=(\\d+) .*", "$1"))
        .toList();
  }
}
