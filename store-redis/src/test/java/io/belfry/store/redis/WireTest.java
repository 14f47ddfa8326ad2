package io.belfry.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.testkit.engine.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** One connection. */
class WireTest {
  private final RedisServer server = RedisServer.start();

  @AfterEach
  void stop() {
    server.close();
  }

  /** Jedis would connect again, and whoever waits for the end of a reader that was cut between two questions would wait for ever. */
  @Test
  void one_that_was_cut_stays_cut() {
    Wire wire = new Dialer(RedisSettings.at(server.uri()), io.belfry.model.time.Time.system())
        .dial(new HostAndPort("127.0.0.1", server.port()));
    assertThat(wire.ask(Command.PING)).isNotNull();
    wire.cut();
    assertThatThrownBy(() -> wire.ask(Command.PING))
        .isInstanceOf(JedisConnectionException.class)
        .hasMessageContaining("was cut");
    assertThat(wire.isConnected()).isFalse();
  }
}
