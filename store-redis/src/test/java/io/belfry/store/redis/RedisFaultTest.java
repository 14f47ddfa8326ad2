package io.belfry.store.redis;

import static io.belfry.testkit.contract.Subject.ORDERED;
import static io.belfry.testkit.contract.Subject.PLAIN;
import static io.belfry.testkit.contract.Subject.WATCHED;
import static io.belfry.testkit.contract.Subject.answer;
import static io.belfry.testkit.contract.Subject.bytes;
import static io.belfry.testkit.contract.Subject.done;
import static io.belfry.testkit.contract.Subject.key;
import static io.belfry.testkit.contract.Subject.put;
import static io.belfry.testkit.contract.Subject.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belfry.model.time.Time;
import io.belfry.store.Change;
import io.belfry.store.Commit;
import io.belfry.store.Feed;
import io.belfry.store.Guard;
import io.belfry.store.Key;
import io.belfry.store.Lease;
import io.belfry.store.Outcome;
import io.belfry.store.StoreException;
import io.belfry.store.Watch;
import io.belfry.testkit.contract.Subject;
import io.belfry.testkit.contract.WatchProbe;
import io.belfry.testkit.engine.RedisServer;
import io.belfry.testkit.engine.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A bad wire, a server that forgets, stalls or is full. */
class RedisFaultTest {
  private final RedisServer server = RedisServer.start();
  private final TcpProxy wire = TcpProxy.to(server.port());
  private final RedisStore store =
      RedisStore.connect(RedisSettings.at("redis://127.0.0.1:" + wire.port())
          .timeouts(new RedisSettings.Timeouts(
              Duration.ofMillis(500), Duration.ofMillis(500), Duration.ofSeconds(2))));

  @AfterEach
  void stop() {
    store.close();
    wire.close();
    server.close();
  }

  @Test
  void an_answer_that_is_swallowed_is_unknown_and_settled_by_committing_again() {
    Key own = key(PLAIN, "own");
    Commit commit = Commit.when()
        .absent(own)
        .put(own, bytes("1"))
        .put(key(WATCHED, "shared"), bytes("1"))
        .build();
    put(store, key(PLAIN, "warm"), "up");
    wire.holdAnswers();
    assertThatThrownBy(() -> answer(store.commit(commit)))
        .isInstanceOf(StoreException.Unknown.class);
    wire.breakConnections();
    wire.release();

    Outcome again = await()
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptionsInstanceOf(StoreException.class)
        .until(() -> answer(store.commit(commit)), outcome -> true);
    assertThat(again)
        .as("it had been applied: its own key says so")
        .isInstanceOfSatisfying(
            Outcome.Refused.class,
            refused -> assertThat(refused.guard()).isEqualTo(new Guard.Absent(own)));
    assertThat(read(store, key(WATCHED, "shared"))).contains("1");
  }

  @Test
  void a_server_that_is_away_is_unavailable_within_the_deadline() {
    put(store, key(PLAIN, "a"), "1");
    server.kill();
    Time time = Time.system();
    long start = time.nanos();
    // The first may have been on its way when the connection broke.
    assertThatThrownBy(() -> put(store, key(PLAIN, "a"), "2"))
        .isInstanceOfAny(StoreException.Unavailable.class, StoreException.Unknown.class);
    assertThatThrownBy(() -> put(store, key(PLAIN, "a"), "2"))
        .isInstanceOf(StoreException.Unavailable.class);
    assertThatThrownBy(() -> read(store, key(PLAIN, "a")))
        .isInstanceOf(StoreException.Unavailable.class);
    assertThat(Duration.ofNanos(time.nanos() - start)).isLessThan(Duration.ofSeconds(30));
    server.startAgain();
    // Written anew: with everysec, kill -9 may have taken the first value.
    await()
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptionsInstanceOf(StoreException.class)
        .until(() -> put(store, key(PLAIN, "a"), "3") > 0);
    assertThat(read(store, key(PLAIN, "a"))).contains("3");
  }

  @Test
  void a_watch_goes_on_after_the_wire_broke_and_misses_nothing() {
    WatchProbe ear = new WatchProbe();
    try (Watch watch = store.watch(Feed.of(WATCHED), Watch.NOW, ear);
        RedisStore other = RedisStore.connect(RedisSettings.at(server.uri()))) {
      ear.opened();
      var written = new ArrayList<Long>();
      for (int i = 0; i < 30; i++) {
        if (i % 10 == 5) {
          wire.breakConnections();
        }
        written.add(put(other, key(WATCHED, "k" + i), "v"));
      }
      for (long each : written) {
        assertThat(ear.changed().revision()).isEqualTo(each);
      }
    }
  }

  @Test
  void scripts_that_vanish_are_loaded_again() {
    for (int i = 0; i < 20; i++) {
      server.ask("SCRIPT", "FLUSH");
      List<CompletionStage<Outcome>> answers = IntStream.range(0, 50)
          .mapToObj(n ->
              store.commit(Commit.when().put(key(ORDERED, "k" + n), bytes("v")).build()))
          .toList();
      answers.forEach(each -> assertThat(answer(each)).isInstanceOf(Outcome.Done.class));
    }
  }

  @Test
  void a_watch_survives_scripts_that_vanish() {
    WatchProbe ear = new WatchProbe();
    try (Watch watch = store.watch(Feed.of(WATCHED), Watch.NOW, ear)) {
      ear.opened();
      for (int i = 0; i < 5; i++) {
        server.ask("SCRIPT", "FLUSH");
        long revision = put(store, key(WATCHED, "a"), "v" + i);
        assertThat(ear.changed().revision()).isEqualTo(revision);
      }
    }
  }

  /** Protects "the first write of a script is one that a full server refuses": nothing is half applied. */
  @Test
  void a_full_server_says_so_applies_nothing_by_halves_and_lets_deletes_through() {
    put(store, key(ORDERED, "old"), "x");
    Lease lease = answer(store.grant(Duration.ofSeconds(60)));
    server.ask("CONFIG", "SET", "maxmemory", "1mb");
    Commit commit = Commit.when()
        .delete(key(ORDERED, "old"))
        .put(key(WATCHED, "a"), bytes("1"))
        .put(key(ORDERED, "b"), bytes("2"))
        .build();
    assertThatThrownBy(() -> answer(store.commit(commit)))
        .isInstanceOf(StoreException.Full.class)
        .hasMessageContaining("maxmemory");
    assertThat(read(store, key(ORDERED, "old"))).contains("x");
    assertThat(read(store, key(WATCHED, "a"))).isEmpty();
    assertThat(Subject.scanAll(store, io.belfry.store.Scan.all(ORDERED))).hasSize(1);

    assertThat(answer(store.renew(lease.id()))).as("nobody dies of it").isTrue();
    done(store, Commit.when().delete(key(ORDERED, "old")));
    server.ask("CONFIG", "SET", "maxmemory", "0");
    assertThat(answer(store.commit(commit))).isInstanceOf(Outcome.Done.class);
  }

  /** Protects the sweep's rule: nobody could renew while the server stood still, so nobody has died. */
  @Test
  void a_server_that_stood_still_for_longer_than_the_lease_ends_none() {
    Lease lease = answer(store.grant(Duration.ofSeconds(2)));
    Key key = key(WATCHED, "worker");
    done(store, Commit.when().put(key, bytes("w"), lease.id()));
    server.pause();
    Time time = Time.system();
    long start = time.nanos();
    await()
        .pollInterval(Duration.ofMillis(50))
        .atMost(Duration.ofSeconds(60))
        .until(() -> time.nanos() - start > Duration.ofSeconds(5).toNanos());
    server.resume();
    assertThat(await()
            .atMost(Duration.ofSeconds(60))
            .pollInterval(Duration.ofMillis(50))
            .ignoreExceptionsInstanceOf(StoreException.class)
            .until(() -> answer(store.renew(lease.id())), renewed -> true))
        .isTrue();
    assertThat(read(store, key)).contains("w");
  }

  /** Protects the other half of that rule: the ends that the earlier clock has set are an hour away. */
  @Test
  void a_clock_that_went_back_ends_no_lease_and_makes_none_immortal() {
    Lease living = answer(store.grant(Duration.ofSeconds(60)));
    // Long against the second between sweeps, which would start a short one over in any case.
    Lease dead = answer(store.grant(Duration.ofSeconds(5)));
    Key key = key(WATCHED, "worker");
    WatchProbe ear = new WatchProbe();
    try (Watch watch = store.watch(Feed.of(WATCHED), Watch.NOW, ear)) {
      ear.opened();
      done(store, Commit.when().put(key, bytes("w"), dead.id()));
      ear.changed();
      hadAClockAnHourAhead();
      assertThat(answer(store.renew(living.id()))).isTrue();
      assertThat(ear.changed().changes()).containsExactly(new Change.Deleted(key));
      assertThat(answer(store.renew(dead.id()))).isFalse();
    }
  }

  /** As if the last sweep and the ends of leases had been set by it; in one step, so that no sweep comes between. */
  private void hadAClockAnHourAhead() {
    List<String> ends =
        server.ask("EVAL", """
        local ahead = redis.call('TIME')[1] * 1000 + 3600000
        redis.call('HSET', KEYS[1], 's', ahead)
        for _, lease in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do
          redis.call('ZADD', KEYS[2], ahead + redis.call('HGET', KEYS[3], lease), lease)
        end
        return redis.call('ZCOUNT', KEYS[2], ahead, '+inf')
        """, "3", "{belfry:default}m", "{belfry:default}z", "{belfry:default}t");
    assertThat(ends).as("leases that end in an hour").containsExactly("2");
  }

  @Test
  void closing_leaves_no_thread_behind() {
    String own = "belfry-redis-threads";
    try (RedisStore busy =
        RedisStore.connect(RedisSettings.at(server.uri()).namespace("threads"))) {
      put(busy, key(WATCHED, "a"), "1");
      assertThat(namesOfThreads()).anyMatch(name -> name.startsWith(own));
    }
    assertThat(namesOfThreads()).noneMatch(name -> name.startsWith(own));
  }

  private static List<String> namesOfThreads() {
    return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).toList();
  }

  @Test
  void closing_while_the_server_stands_still_does_not_hang() {
    server.pause();
    CompletionStage<Outcome> away =
        store.commit(Commit.when().put(key(PLAIN, "a"), bytes("1")).build());
    store.close();
    assertThatThrownBy(() -> answer(away))
        .isInstanceOfAny(StoreException.Unknown.class, StoreException.Closed.class);
    server.resume();
  }
}
