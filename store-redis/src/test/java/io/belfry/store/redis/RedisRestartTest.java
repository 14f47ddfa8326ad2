package io.belfry.store.redis;

import static io.belfry.testkit.contract.Subject.PLAIN;
import static io.belfry.testkit.contract.Subject.WATCHED;
import static io.belfry.testkit.contract.Subject.answer;
import static io.belfry.testkit.contract.Subject.bytes;
import static io.belfry.testkit.contract.Subject.done;
import static io.belfry.testkit.contract.Subject.key;
import static io.belfry.testkit.contract.Subject.put;
import static io.belfry.testkit.contract.Subject.read;
import static io.belfry.testkit.contract.Subject.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.belfry.store.Commit;
import io.belfry.store.Feed;
import io.belfry.store.Key;
import io.belfry.store.Lease;
import io.belfry.store.Revision;
import io.belfry.store.StoreException;
import io.belfry.store.Watch;
import io.belfry.testkit.contract.WatchProbe;
import io.belfry.testkit.engine.RedisServer;
import io.belfry.testkit.engine.TcpProxy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that dies and comes back, with all of its data or with less: another epoch, and nobody is misled. */
class RedisRestartTest {
  private final RedisServer server = RedisServer.start("--appendfsync", "always");
  private final RedisStore store = RedisStore.connect(RedisSettings.at(server.uri()));

  @AfterEach
  void stop() {
    store.close();
    server.close();
  }

  /** A commit that may meet a server on its way up. */
  private long putAfterRestart(Key key, String value) {
    return putAfterRestart(store, key, value);
  }

  private static long putAfterRestart(RedisStore store, Key key, String value) {
    return await()
        .atMost(Duration.ofSeconds(60))
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(20))
        .ignoreExceptionsInstanceOf(StoreException.class)
        .until(() -> put(store, key, value), revision -> revision > 0);
  }

  @Test
  void kill_9_loses_nothing_that_was_acknowledged_and_begins_an_epoch() {
    long last = 0;
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 200; i++) {
        last = putAfterRestart(key(WATCHED, round + "/" + i), "v" + i);
      }
      server.kill();
      server.startAgain();
    }
    long next = putAfterRestart(key(PLAIN, "next"), "x");

    assertThat(next).isGreaterThan(last);
    assertThat(Revision.epoch(next)).isEqualTo(4);
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 200; i++) {
        assertThat(read(store, key(WATCHED, round + "/" + i))).contains("v" + i);
      }
    }
  }

  /**
   * With everysec Redis 7.0 answers while it holds a write back for a running fsync, so even kill -9 can take the last
   * two seconds. What is left must be all up to some step, and nobody may be misled about the rest.
   */
  @Test
  void with_everysec_kill_9_takes_the_end_at_most_and_says_so_by_an_epoch() {
    try (RedisServer lazy = RedisServer.start("--appendfsync", "everysec");
        RedisStore there = RedisStore.connect(RedisSettings.at(lazy.uri()))) {
      assertThat(answer(there.status()).durability()).contains("up to 2 s lost");
      long last = 0;
      for (int i = 0; i < 500; i++) {
        last = put(there, key(PLAIN, "k" + i), "v" + i);
      }
      lazy.kill();
      lazy.startAgain();
      assertThat(putAfterRestart(there, key(PLAIN, "next"), "x")).isGreaterThan(last);
      boolean gone = false;
      for (int i = 0; i < 500; i++) {
        boolean stands = read(there, key(PLAIN, "k" + i)).isPresent();
        assertThat(stands && gone)
            .as("k" + i + " stands, though an earlier step does not")
            .isFalse();
        gone |= !stands;
      }
    }
  }

  @Test
  void watches_are_told_that_they_must_scan_again() {
    WatchProbe ear = new WatchProbe();
    long before = put(store, key(WATCHED, "a"), "1");
    try (Watch watch = store.watch(Feed.of(WATCHED), Watch.NOW, ear)) {
      ear.opened();
      server.kill();
      server.startAgain();
      putAfterRestart(key(WATCHED, "a"), "2");
      ear.awaitCompacted();
    }
    WatchProbe late = new WatchProbe();
    try (Watch watch = store.watch(Feed.of(WATCHED), before, late)) {
      late.awaitCompacted();
    }
    WatchProbe fresh = new WatchProbe();
    try (Watch watch = store.watch(Feed.of(WATCHED), Watch.NOW, fresh)) {
      fresh.opened();
      long revision = put(store, key(WATCHED, "a"), "3");
      assertThat(fresh.changed().revision()).isEqualTo(revision);
    }
  }

  /** A watch without any traffic: the sweep that it keeps going finds the new epoch. */
  @Test
  void a_watch_hears_of_the_epoch_though_nobody_commits() {
    WatchProbe ear = new WatchProbe();
    try (Watch watch = store.watch(Feed.of(WATCHED), Watch.NOW, ear)) {
      ear.opened();
      server.kill();
      server.startAgain();
      ear.awaitCompacted();
    }
  }

  @Test
  void a_fence_does_not_outlive_its_epoch_but_a_value_does() {
    Key term = key(PLAIN, "term");
    Key task = key(PLAIN, "task");
    long held = put(store, term, "1");
    server.kill();
    server.startAgain();
    putAfterRestart(key(PLAIN, "x"), "x");

    assertThat(refused(store, Commit.when().holds(term, held).put(task, bytes("late")))
            .found())
        .as("the fence is as it was, but not in this epoch")
        .isEqualTo(held);
    done(store, Commit.when().unchanged(term, held).put(task, bytes("on time")));
    long again = put(store, term, "2");
    done(store, Commit.when().holds(term, again).put(task, bytes("in its term")));
  }

  @Test
  void leases_start_over_because_the_engine_was_away_not_their_holders() {
    Lease lease = answer(store.grant(Duration.ofSeconds(3)));
    Key key = key(WATCHED, "worker");
    done(store, Commit.when().put(key, bytes("w"), lease.id()));
    server.kill();
    // As if the server had been away for long: on its own clock the lease ended before it died.
    server.startAgain();
    server.ask("HSET", "{belfry:default}m", "s", "1");
    for (String id : server.ask("ZRANGE", "{belfry:default}z", "0", "-1")) {
      server.ask("ZADD", "{belfry:default}z", "1", id);
    }
    putAfterRestart(key(PLAIN, "x"), "x");
    assertThat(read(store, key)).contains("w");
    assertThat(answer(store.renew(lease.id()))).isTrue();
  }

  /**
   * Protects the epoch in {@code begin.lua}: without it the restored server gives revisions out again, the guard holds for
   * a value that nobody has read, and the watch takes the second 1-n for what follows its first.
   */
  @Test
  void what_a_restore_took_back_is_not_mistaken_for_what_came_after(@TempDir Path backup)
      throws IOException {
    Key key = key(WATCHED, "k");
    put(store, key, "before the backup");
    Path data = server.directory().resolve("appendonlydir");
    copy(data, backup);
    long taken = put(store, key, "taken back");
    WatchProbe ear = new WatchProbe();
    try (Watch watch = store.watch(Feed.of(WATCHED), taken, ear)) {
      assertThat(ear.opened()).isEqualTo(taken);
      server.kill();
      copy(backup, data);
      server.startAgain();
      try (RedisStore other = RedisStore.connect(RedisSettings.at(server.uri()))) {
        assertThat(read(other, key)).contains("before the backup");
        long second = put(other, key, "another value");
        assertThat(Revision.counter(second))
            .as("the counter was given out before")
            .isLessThanOrEqualTo(Revision.counter(taken));
        put(other, key(WATCHED, "after"), "x");
      }
      ear.awaitCompacted();
    }
    await()
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptionsInstanceOf(StoreException.class)
        .untilAsserted(() ->
            refused(store, Commit.when().unchanged(key, taken).put(key, bytes("by mistake"))));
    assertThat(read(store, key)).contains("another value");
  }

  /** Protects "epoch = max(stored, sent) + 1": the client that comes back has seen an epoch that the data set has not. */
  @Test
  void an_epoch_that_was_taken_back_is_not_given_out_again(@TempDir Path backup)
      throws IOException {
    put(store, key(PLAIN, "a"), "1");
    Path data = server.directory().resolve("appendonlydir");
    copy(data, backup);
    server.kill();
    server.startAgain();
    long second = putAfterRestart(key(PLAIN, "a"), "2");
    assertThat(Revision.epoch(second)).isEqualTo(2);
    server.kill();
    copy(backup, data);
    server.startAgain();
    long third = putAfterRestart(key(PLAIN, "a"), "3");
    assertThat(Revision.epoch(third)).isEqualTo(3);
  }

  @Test
  void an_emptied_server_is_another_data_set() {
    long before = put(store, key(PLAIN, "a"), "1");
    WatchProbe ear = new WatchProbe();
    try (Watch watch = store.watch(Feed.of(WATCHED), Watch.NOW, ear)) {
      ear.opened();
      server.ask("FLUSHALL");
      long after = put(store, key(PLAIN, "a"), "2");
      assertThat(Revision.epoch(after)).isGreaterThan(Revision.epoch(before));
      ear.awaitCompacted();
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> old = Files.list(to)) {
      for (Path each : old.toList()) {
        Files.delete(each);
      }
    }
    try (Stream<Path> files = Files.list(from)) {
      for (Path each : files.toList()) {
        Files.copy(each, to.resolve(each.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  @Test
  void commits_of_many_callers_survive_a_server_that_dies_under_them() {
    List<Key> acknowledged = new Hammer(store, 8, 400).during(() -> {
      server.kill();
      server.startAgain();
    });
    assertThat(acknowledged).isNotEmpty();
    for (Key each : acknowledged) {
      assertThat(read(store, each)).as("acknowledged").isPresent();
    }
  }

  /** FLUSHALL, another server behind the same address, and back: each is said, and the store goes on by itself. */
  @Test
  void an_empty_data_set_is_said_loudly_and_one_that_is_filled_again_is_used() {
    try (RedisServer empty = RedisServer.start();
        TcpProxy address = TcpProxy.to(server.port());
        LogLines log = new LogLines();
        RedisStore through =
            RedisStore.connect(RedisSettings.at("redis://127.0.0.1:" + address.port()))) {
      long last = 0;
      for (int i = 0; i < 20; i++) {
        last = putAfterRestart(through, key(WATCHED, "k" + i), "v");
      }
      WatchProbe ear = new WatchProbe();
      try (Watch watch = through.watch(Feed.of(WATCHED), Watch.NOW, ear)) {
        ear.opened();
        address.lead(empty.port());
        address.breakConnections();
        long next = putAfterRestart(through, key(PLAIN, "new"), "1");
        assertThat(next).isGreaterThan(last);
        ear.awaitCompacted();
      }
      assertThat(log.at(Level.WARN))
          .anyMatch(line -> line.contains("EMPTY") && line.contains("all 20 steps"));

      address.lead(server.port());
      address.breakConnections();
      long back = putAfterRestart(through, key(PLAIN, "back"), "1");
      assertThat(Revision.epoch(back)).isEqualTo(3);
      assertThat(read(through, key(WATCHED, "k0"))).contains("v");
    }
  }

  @Test
  void a_data_set_that_went_back_is_said_with_the_number_of_steps() {
    try (LogLines log = new LogLines()) {
      for (int i = 0; i < 30; i++) {
        put(store, key(PLAIN, "k" + i), "v");
      }
      // As a restore of a backup does: the same data, ten steps earlier, by another server.
      server.ask("HINCRBY", "{belfry:default}m", "c", "-10");
      server.ask("HSET", "{belfry:default}m", "r", "0000");
      putAfterRestart(key(PLAIN, "next"), "x");
      assertThat(log.at(Level.WARN))
          .anyMatch(line -> line.contains("WENT BACK") && line.contains("the last 10 steps"));
    }
  }

  @Test
  void a_restart_that_lost_nothing_is_no_warning() {
    try (LogLines log = new LogLines()) {
      for (int i = 0; i < 30; i++) {
        put(store, key(PLAIN, "k" + i), "v");
      }
      server.kill();
      server.startAgain();
      putAfterRestart(key(PLAIN, "next"), "x");
      assertThat(log.at(Level.INFO))
          .anyMatch(line -> line.contains("No step that this node knows of was lost"));
      assertThat(log.at(Level.WARN)).noneMatch(line -> line.contains("WENT BACK"));
    }
  }
}
