package io.belfry.store.redis;

import static io.belfry.testkit.contract.Subject.PLAIN;
import static io.belfry.testkit.contract.Subject.WATCHED;
import static io.belfry.testkit.contract.Subject.answer;
import static io.belfry.testkit.contract.Subject.key;
import static io.belfry.testkit.contract.Subject.put;
import static io.belfry.testkit.contract.Subject.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.belfry.store.Feed;
import io.belfry.store.Lease;
import io.belfry.store.StoreException;
import io.belfry.store.Watch;
import io.belfry.testkit.contract.WatchProbe;
import io.belfry.testkit.engine.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A server that refuses us for a while: an outage with a reason, which ends by itself. */
class RedisRefusedTest {
  private final RedisServer server = RedisServer.start(
      Optional.of("admin admin"),
      List.of(),
      List.of(
          "user default off ~* &* +@all",
          "user admin on >admin ~* &* +@all",
          "user belfry on >secret ~* &* +@all"));
  private final RedisStore store = RedisStore.connect(settings());

  private RedisSettings settings() {
    return RedisSettings.at(server.uri())
        .login("belfry", "secret")
        .timeouts(new RedisSettings.Timeouts(
            Duration.ofMillis(500), Duration.ofMillis(500), Duration.ofSeconds(2)));
  }

  @AfterEach
  void stop() {
    store.close();
    server.close();
  }

  private void killConnections() {
    server.ask("CLIENT", "KILL", "USER", "belfry");
  }

  /** Refused and lifted again: the same store, its watch and its lease go on. */
  private void outlives(String reason, Runnable refuse, Runnable lift) {
    try (LogLines log = new LogLines()) {
      WatchProbe ear = new WatchProbe();
      Lease lease = answer(store.grant(Duration.ofMinutes(5)));
      try (Watch watch = store.watch(Feed.of(WATCHED), Watch.NOW, ear)) {
        ear.opened();
        refuse.run();
        killConnections();
        for (int i = 0; i < 3; i++) {
          await("calls fail with the reason")
              .atMost(Duration.ofSeconds(30))
              .untilAsserted(() -> assertThatThrownBy(() -> put(store, key(PLAIN, "a"), "1"))
                  .isInstanceOf(StoreException.Denied.class)
                  .hasMessageContaining(reason));
        }
        lift.run();
        await("commits succeed again")
            .atMost(Duration.ofSeconds(30))
            .ignoreExceptionsInstanceOf(StoreException.class)
            .until(() -> put(store, key(WATCHED, "a"), "2") > 0);
        ear.changed();
        assertThat(answer(store.renew(lease.id()))).isTrue();
      }
      assertThat(log.at(Level.WARN))
          .filteredOn(line -> line.contains("was refused"))
          .hasSize(1)
          .allMatch(line -> line.contains(reason) && line.contains("calls fail with this reason"));
      assertThat(log.at(Level.INFO))
          .anyMatch(line -> line.matches(".*was restored.* after \\d+ ms.*"));
      assertThat(log.at(Level.ERROR)).isEmpty();
    }
  }

  @Test
  void a_password_that_was_changed_for_a_while() {
    outlives(
        "WRONGPASS",
        () -> server.ask("ACL", "SETUSER", "belfry", "resetpass", ">other"),
        () -> server.ask("ACL", "SETUSER", "belfry", "resetpass", ">secret"));
  }

  @Test
  void a_policy_that_evicts_for_a_while() {
    outlives(
        "allkeys-lru",
        () -> server.ask("CONFIG", "SET", "maxmemory-policy", "allkeys-lru"),
        () -> server.ask("CONFIG", "SET", "maxmemory-policy", "noeviction"));
  }

  @Test
  void a_right_that_was_taken_away_for_a_while() {
    outlives(
        "rights",
        () -> server.ask("ACL", "SETUSER", "belfry", "-xadd"),
        () -> server.ask("ACL", "SETUSER", "belfry", "+xadd"));
  }

  /** Protects the outcome of a script that a missing right ends midway: its first writes are not taken back. */
  @Test
  void a_right_that_is_taken_away_from_a_connection_in_use_leaves_unknown_what_it_was_missed_in() {
    put(store, key(WATCHED, "a"), "1");
    server.ask("ACL", "SETUSER", "belfry", "-xadd");
    assertThatThrownBy(() -> put(store, key(WATCHED, "b"), "1"))
        .isInstanceOf(StoreException.Unknown.class)
        .hasMessageContaining("in the middle of a request");
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThatThrownBy(() -> read(store, key(WATCHED, "a")))
            .as("reads are refused too, because the connection is")
            .isInstanceOf(StoreException.Denied.class));
    server.ask("ACL", "SETUSER", "belfry", "+xadd");
    await()
        .atMost(Duration.ofSeconds(30))
        .ignoreExceptionsInstanceOf(StoreException.class)
        .until(() -> put(store, key(WATCHED, "c"), "1") > 0);
  }

  @Test
  void the_first_connect_is_refused_at_once() {
    assertThatThrownBy(() -> RedisStore.connect(settings().login("belfry", "other")))
        .isInstanceOf(StoreException.Denied.class)
        .hasMessageContaining("WRONGPASS");
  }
}
