package io.belfry.store.redis;

import static io.belfry.testkit.contract.Subject.PLAIN;
import static io.belfry.testkit.contract.Subject.answer;
import static io.belfry.testkit.contract.Subject.key;
import static io.belfry.testkit.contract.Subject.put;
import static io.belfry.testkit.contract.Subject.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.model.time.Time;
import io.belfry.store.StoreException;
import io.belfry.testkit.engine.Ports;
import io.belfry.testkit.engine.RedisServer;
import io.belfry.testkit.engine.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is demanded of Redis before anything is trusted to it. */
class RedisConnectTest {
  private static final RedisSettings.Timeouts SHORT = new RedisSettings.Timeouts(
      Duration.ofMillis(300), Duration.ofMillis(300), Duration.ofSeconds(1));

  @ParameterizedTest
  @ValueSource(strings = {"redis://", "redis+sentinel://", "redis+cluster://"})
  void nobody_there_is_unavailable_within_the_deadline(String scheme) {
    String uri = scheme + "127.0.0.1:" + Ports.free() + (scheme.contains("sentinel") ? "/p" : "");
    Time time = Time.system();
    long start = time.nanos();
    assertThatThrownBy(() -> RedisStore.connect(RedisSettings.at(uri).timeouts(SHORT)))
        .isInstanceOf(StoreException.Unavailable.class)
        .hasMessageContaining("Could not connect to Redis");
    assertThat(Duration.ofNanos(time.nanos() - start)).isLessThan(Duration.ofSeconds(20));
  }

  @Test
  void a_server_that_takes_the_connection_and_says_nothing_is_unavailable() {
    try (RedisServer server = RedisServer.start();
        TcpProxy wire = TcpProxy.to(server.port())) {
      wire.holdAll();
      assertThatThrownBy(() -> RedisStore.connect(
              RedisSettings.at("redis://127.0.0.1:" + wire.port()).timeouts(SHORT)))
          .isInstanceOf(StoreException.Unavailable.class);
    }
  }

  @Test
  void without_an_append_only_file_it_is_refused_unless_that_is_wanted() {
    try (RedisServer server = RedisServer.start("--appendonly", "no")) {
      assertThatThrownBy(() -> RedisStore.connect(RedisSettings.at(server.uri())))
          .isInstanceOf(StoreException.Denied.class)
          .hasMessageContaining("appendonly yes");
      try (RedisStore knowingly = RedisStore.connect(
          RedisSettings.at(server.uri()).durability(RedisSettings.Durability.NONE))) {
        put(knowingly, key(PLAIN, "a"), "1");
        assertThat(answer(knowingly.status()).durability()).contains("lost with the process");
      }
    }
  }

  @Test
  void a_policy_that_evicts_is_refused_unless_that_is_wanted() {
    try (RedisServer server = RedisServer.start("--maxmemory-policy", "allkeys-lru")) {
      assertThatThrownBy(() -> RedisStore.connect(RedisSettings.at(server.uri())))
          .isInstanceOf(StoreException.Denied.class)
          .hasMessageContaining("allkeys-lru")
          .hasMessageContaining("maxmemory-policy noeviction");
      RedisStore.connect(RedisSettings.at(server.uri()).durability(RedisSettings.Durability.NONE))
          .close();
    }
  }

  @Test
  void replicas_of_unequal_priority_are_refused() {
    for (List<Integer> unequal : List.of(List.of(100, 10), List.of(0, 0), List.of(100, 100, 0))) {
      var audit = new Audit(true, Optional.of("always"), "noeviction", true, List.of(), unequal);
      assertThatThrownBy(() -> audit.require(RedisSettings.Durability.FULL, "h:1"))
          .isInstanceOf(StoreException.Denied.class)
          .hasMessageContaining("replica-priority");
    }
    new Audit(true, Optional.of("always"), "noeviction", true, List.of(), List.of(100, 100))
        .require(RedisSettings.Durability.FULL, "h:1");
  }

  @Test
  void a_replica_is_not_written_to() {
    try (RedisServer primary = RedisServer.start();
        RedisServer replica = RedisServer.start("--replicaof", "127.0.0.1", "" + primary.port())) {
      assertThatThrownBy(
              () -> RedisStore.connect(RedisSettings.at(replica.uri()).timeouts(SHORT)))
          .isInstanceOf(StoreException.Unavailable.class)
          .hasMessageContaining("is a replica");
    }
  }

  @Test
  void databases_prefixes_and_namespaces_are_apart() {
    try (RedisServer server = RedisServer.start();
        RedisStore first = RedisStore.connect(RedisSettings.at(server.uri()));
        RedisStore database = RedisStore.connect(RedisSettings.at(server.uri()).database(3));
        RedisStore prefix = RedisStore.connect(RedisSettings.at(server.uri()).prefix("other"));
        RedisStore namespace = RedisStore.connect(RedisSettings.at(server.uri()).namespace("n"))) {
      put(first, key(PLAIN, "a"), "1");
      assertThat(read(database, key(PLAIN, "a"))).isEmpty();
      assertThat(read(prefix, key(PLAIN, "a"))).isEmpty();
      assertThat(read(namespace, key(PLAIN, "a"))).isEmpty();
    }
  }

  @Test
  void keys_that_are_not_ours_are_reported_as_damage() {
    try (RedisServer server = RedisServer.start();
        RedisStore store = RedisStore.connect(RedisSettings.at(server.uri()))) {
      server.ask("LPUSH", "{belfry:default}ep/a", "not an entry");
      assertThatThrownBy(() -> read(store, key(PLAIN, "a")))
          .isInstanceOf(StoreException.Damaged.class);
    }
  }
}
