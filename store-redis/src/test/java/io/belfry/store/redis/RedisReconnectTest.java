package io.belfry.store.redis;

import static io.belfry.testkit.contract.Subject.PLAIN;
import static io.belfry.testkit.contract.Subject.key;
import static io.belfry.testkit.contract.Subject.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belfry.store.StoreException;
import io.belfry.testkit.engine.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Connections are made again, but not without end and not without count. */
class RedisReconnectTest {
  private final RedisServer server = RedisServer.start();

  @AfterEach
  void stop() {
    server.close();
  }

  private RedisStore connect() {
    return RedisStore.connect(RedisSettings.at(server.uri())
        .timeouts(new RedisSettings.Timeouts(
            Duration.ofMillis(500), Duration.ofMillis(500), Duration.ofSeconds(3))));
  }

  private long connections() {
    return Long.parseLong(server.info("stats", "total_connections_received"));
  }

  @Test
  void reconnects_are_counted() {
    try (RedisStore store = connect()) {
      put(store, key(PLAIN, "a"), "1");
      assertThat(store.reconnects()).isZero();
      for (int i = 1; i <= 3; i++) {
        int times = i;
        server.ask("CLIENT", "KILL", "TYPE", "normal");
        await()
            .atMost(Duration.ofSeconds(30))
            .ignoreExceptionsInstanceOf(StoreException.class)
            .until(() -> put(store, key(PLAIN, "a"), "2") > 0 && store.reconnects() == times);
      }
    }
  }

  /** A server that lets us in and refuses the first write: each attempt loads all scripts, so attempts must get rarer. */
  @Test
  void a_server_that_refuses_every_write_is_asked_ever_more_rarely() {
    try (RedisStore store = connect()) {
      put(store, key(PLAIN, "a"), "1");
      server.ask("CONFIG", "SET", "min-replicas-to-write", "1");
      long before = connections();
      assertThatThrownBy(() -> put(store, key(PLAIN, "a"), "2"))
          .isInstanceOf(StoreException.Unavailable.class)
          .hasMessageContaining("NOREPLICAS");
      assertThat(connections() - before).as("connections in 3 s").isLessThan(20);
      server.ask("CONFIG", "SET", "min-replicas-to-write", "0");
      await()
          .atMost(Duration.ofSeconds(10))
          .ignoreExceptionsInstanceOf(StoreException.class)
          .until(() -> put(store, key(PLAIN, "a"), "3") > 0);
    }
  }
}
