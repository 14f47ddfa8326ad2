package io.belfry.store.redis;

import static io.belfry.testkit.contract.Subject.INBOX;
import static io.belfry.testkit.contract.Subject.WATCHED;
import static io.belfry.testkit.contract.Subject.answer;
import static io.belfry.testkit.contract.Subject.bytes;
import static io.belfry.testkit.contract.Subject.done;
import static io.belfry.testkit.contract.Subject.key;
import static io.belfry.testkit.contract.Subject.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belfry.store.Commit;
import io.belfry.store.Feed;
import io.belfry.store.Key;
import io.belfry.store.Outcome;
import io.belfry.store.Revision;
import io.belfry.store.Watch;
import io.belfry.testkit.contract.WatchProbe;
import io.belfry.testkit.engine.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Feeds are capped, and who missed something is told. */
class RedisFeedTest {
  private final RedisServer server = RedisServer.start();
  private final RedisStore store = RedisStore.connect(settings(Duration.ofMinutes(10)));

  private RedisSettings settings(Duration keep) {
    return RedisSettings.at(server.uri()).feed(new RedisSettings.FeedLimits(200_000, 80, keep));
  }

  /** A client that keeps nothing for long. */
  private RedisStore forgetful() {
    return RedisStore.connect(settings(Duration.ofMillis(1)));
  }

  @AfterEach
  void stop() {
    store.close();
    server.close();
  }

  private long length(String feed) {
    return Long.parseLong(server.ask("XLEN", "{belfry:default}f" + feed).getFirst());
  }

  /** Protects the "previous" of a feed entry: XREAD behind a trim gives no error, only what is left. */
  @Test
  void a_watch_that_was_away_while_its_feed_was_cut_is_told() {
    long seen = put(store, key(WATCHED, "a"), "0");
    long recent = 0;
    for (int i = 0; i < 200; i++) {
      recent = put(store, key(WATCHED, "a"), "v" + i);
    }
    assertThat(length("w")).isBetween(70L, 110L);
    WatchProbe late = new WatchProbe();
    try (Watch watch = store.watch(Feed.of(WATCHED), seen, late)) {
      late.opened();
      assertThat(late.next(WatchProbe.Event.Compacted.class)).isNotNull();
    }
    WatchProbe inTime = new WatchProbe();
    try (Watch watch = store.watch(Feed.of(WATCHED), recent - 5, inTime)) {
      inTime.opened();
      for (int i = 4; i >= 0; i--) {
        assertThat(inTime.changed().revision()).isEqualTo(recent - i);
      }
    }
  }

  @Test
  void a_feed_is_cut_by_bytes_too() {
    byte[] large = new byte[10_000];
    for (int i = 0; i < 60; i++) {
      done(store, Commit.when().put(key(WATCHED, "k" + i), large));
    }
    assertThat(length("w")).isBetween(15L, 30L);
  }

  /** Protects the reader's stand: a quiet watch moves on with the data set, so that it is not told of a gap it has not. */
  @Test
  void a_quiet_watch_is_not_told_of_what_was_forgotten_elsewhere() {
    Key quiet = key(INBOX, "quiet");
    Key busy = key(INBOX, "busy");
    WatchProbe ear = new WatchProbe();
    try (RedisStore store = forgetful();
        Watch watch = store.watch(Feed.of(quiet), Watch.NOW, ear)) {
      long opened = ear.opened();
      put(store, busy, "x");
      done(store, Commit.when().delete(busy));
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> server
              .ask("EXISTS", "{belfry:default}fin/busy", "{belfry:default}sin/busy")
              .equals(List.of("0")));
      String forgotten = server.ask("HGET", "{belfry:default}m", "f").getFirst();
      assertThat(Bytes.revision(forgotten)).isGreaterThan(opened);
      // The reader passes the forgotten stretch with its next look, a second at most.
      assertThat(ear.silentFor(Duration.ofMillis(2500))).isTrue();
      long revision = put(store, quiet, "now");
      assertThat(ear.changed().revision()).isEqualTo(revision);
    }
  }

  /** Protects meta f: the feed of a key that was deleted is gone, and a watch from before it must not be fooled. */
  @Test
  void the_feed_of_a_deleted_key_is_forgotten_and_old_watches_of_it_are_told() {
    Key inbox = key(INBOX, "worker");
    long first;
    try (RedisStore writes = forgetful()) {
      first = put(writes, inbox, "1");
      put(writes, inbox, "2");
      done(writes, Commit.when().delete(inbox));
    }
    WatchProbe keepsSweeping = new WatchProbe();
    try (RedisStore sweeps = forgetful();
        Watch watch = sweeps.watch(Feed.of(WATCHED), Watch.NOW, keepsSweeping)) {
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> server
              .ask("EXISTS", "{belfry:default}fin/worker", "{belfry:default}sin/worker")
              .equals(List.of("0")));
    }
    WatchProbe ear = new WatchProbe();
    try (Watch watch = store.watch(Feed.of(inbox), first, ear)) {
      ear.opened();
      assertThat(ear.next(WatchProbe.Event.Compacted.class)).isNotNull();
    }
    put(store, inbox, "3");
    WatchProbe again = new WatchProbe();
    try (Watch watch = store.watch(Feed.of(inbox), first, again)) {
      again.opened();
      assertThat(again.next(WatchProbe.Event.Compacted.class)).isNotNull();
    }
  }

  @Test
  void an_inbox_that_is_made_again_in_time_keeps_its_feed() {
    Key inbox = key(INBOX, "worker");
    long first = put(store, inbox, "1");
    done(store, Commit.when().delete(inbox));
    long last = put(store, inbox, "2");
    WatchProbe ear = new WatchProbe();
    try (Watch watch = store.watch(Feed.of(inbox), first, ear)) {
      ear.opened();
      assertThat(ear.changed().changes()).hasSize(1);
      assertThat(ear.changed().revision()).isEqualTo(last);
    }
  }

  /** Protects the bound of all feeds together: each by itself is far below the bound of one. */
  @Test
  void the_feeds_of_many_workers_that_came_and_went_take_bounded_memory() {
    var limits = new RedisSettings.FeedLimits(8L << 20, 100_000, Duration.ofHours(1));
    byte[] message = new byte[64 << 10];
    try (RedisStore large = RedisStore.connect(RedisSettings.at(server.uri()).feed(limits))) {
      put(large, key(INBOX, "w0"), "warm");
      long before = Long.parseLong(server.info("memory", "used_memory"));
      for (int incarnation = 0; incarnation < 200; incarnation++) {
        Key inbox = key(INBOX, "w" + incarnation);
        for (int i = 0; i < 15; i++) {
          done(large, Commit.when().put(inbox, message));
        }
        // What stays of the inbox itself is for others to delete: here it is small.
        put(large, inbox, "last");
      }
      long grown = Long.parseLong(server.info("memory", "used_memory")) - before;
      assertThat(grown)
          .as("bytes after 200 inboxes of 1 MiB")
          .isLessThan(4 * limits.bytes() + (16L << 20));
    }
  }

  /** Protects what a feed costs besides its changes: Redis sets aside 4 KiB for the first of a stream. */
  @Test
  void the_feeds_of_many_keys_that_changed_once_take_bounded_memory() {
    var limits = new RedisSettings.FeedLimits(1 << 20, 100_000, Duration.ofHours(1));
    try (RedisStore small = RedisStore.connect(RedisSettings.at(server.uri()).feed(limits))) {
      put(small, key(INBOX, "w0"), "warm");
      long before = Long.parseLong(server.info("memory", "used_memory"));
      for (int round = 0; round < 20; round++) {
        var answers = new ArrayList<CompletionStage<Outcome>>();
        for (int i = 0; i < 500; i++) {
          Key callback = key(INBOX, round + "-" + i);
          answers.add(small.commit(Commit.when().put(callback, new byte[1]).build()));
          answers.add(small.commit(Commit.when().delete(callback).build()));
        }
        answers.forEach(each -> assertThat(answer(each)).isInstanceOf(Outcome.Done.class));
      }
      long grown = Long.parseLong(server.info("memory", "used_memory")) - before;
      assertThat(grown)
          .as("bytes after 10,000 keys that came and went")
          .isLessThan(4 * limits.bytes() + (2L << 20));
    }
  }

  /** A watch that follows while others are pushed out of the bound hears everything, or that it must scan again. */
  @Test
  void a_feed_that_was_pushed_out_is_reported_as_compacted() {
    var limits = new RedisSettings.FeedLimits(64 << 10, 100_000, Duration.ofHours(1));
    try (RedisStore small = RedisStore.connect(RedisSettings.at(server.uri()).feed(limits))) {
      Key inbox = key(INBOX, "early");
      long seen = put(small, inbox, "1");
      put(small, inbox, "2");
      for (int i = 0; i < 40; i++) {
        done(small, Commit.when().put(key(INBOX, "w" + i), new byte[16 << 10]));
      }
      assertThat(server.ask("EXISTS", "{belfry:default}fin/early")).containsExactly("0");
      assertThat(Long.parseLong(server.ask("HGET", "{belfry:default}m", "v").getFirst()))
          .isBetween(0L, 4 * limits.bytes() + (20 << 10));
      WatchProbe ear = new WatchProbe();
      try (Watch watch = small.watch(Feed.of(inbox), seen, ear)) {
        ear.opened();
        assertThat(ear.next(WatchProbe.Event.Compacted.class)).isNotNull();
      }
    }
  }

  /** Protects the age of feeds: their keys still exist, but nobody has written to them for long. */
  @Test
  void the_feed_of_a_key_that_is_not_written_any_more_is_forgotten() {
    try (RedisStore forgetful = forgetful()) {
      put(forgetful, key(INBOX, "gone-worker"), "1");
      put(forgetful, key(WATCHED, "quiet"), "1");
      WatchProbe sweeps = new WatchProbe();
      try (Watch watch = forgetful.watch(Feed.of(key(INBOX, "other")), Watch.NOW, sweeps)) {
        sweeps.opened();
        await()
            .atMost(Duration.ofSeconds(60))
            .until(() -> server
                .ask("EXISTS", "{belfry:default}fin/gone-worker", "{belfry:default}fw")
                .equals(List.of("0")));
      }
      WatchProbe sweepsOn = new WatchProbe();
      try (Watch watch = forgetful.watch(Feed.of(key(INBOX, "other")), Watch.NOW, sweepsOn)) {
        await("their last ids are forgotten, too")
            .atMost(Duration.ofSeconds(60))
            .until(() -> server.ask("ZCARD", "{belfry:default}g").equals(List.of("0")));
      }
      assertThat(server.ask("HGET", "{belfry:default}m", "v")).containsExactly("0");
    }
  }

  @Test
  void a_watch_opened_while_others_are_blocked_does_not_wait_for_them() {
    WatchProbe first = new WatchProbe();
    try (Watch one = store.watch(Feed.of(WATCHED), Watch.NOW, first)) {
      first.opened();
      for (int i = 0; i < 20; i++) {
        WatchProbe ear = new WatchProbe();
        try (Watch another = store.watch(Feed.of(key(INBOX, "w" + i)), Watch.NOW, ear)) {
          ear.opened();
          put(store, key(INBOX, "w" + i), "x");
          ear.changed();
        }
      }
    }
  }

  @Test
  void a_revision_from_the_future_or_another_epoch_cannot_be_resumed() {
    long now = put(store, key(WATCHED, "a"), "1");
    for (long after : new long[] {now + 1000, Revision.of(Revision.epoch(now) + 1, 1)}) {
      WatchProbe ear = new WatchProbe();
      try (Watch watch = store.watch(Feed.of(WATCHED), after, ear)) {
        ear.opened();
        assertThat(ear.next(WatchProbe.Event.Compacted.class)).isNotNull();
      }
    }
  }

  @Test
  void a_watcher_that_throws_does_not_silence_the_others() {
    WatchProbe ear = new WatchProbe();
    try (Watch bad = store.watch(Feed.of(WATCHED), Watch.NOW, new Thrower());
        Watch good = store.watch(Feed.of(WATCHED), Watch.NOW, ear)) {
      ear.opened();
      put(store, key(WATCHED, "a"), "1");
      ear.changed();
      done(store, Commit.when().put(key(WATCHED, "b"), bytes("2")));
      ear.changed();
    }
  }

  private static final class Thrower implements io.belfry.store.Watcher {
    @Override
    public void changed(long revision, List<io.belfry.store.Change> changes) {
      throw new IllegalStateException("a bug in a watcher");
    }

    @Override
    public void compacted() {}
  }
}
