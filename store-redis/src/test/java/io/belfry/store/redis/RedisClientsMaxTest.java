package io.belfry.store.redis;

import static io.belfry.testkit.contract.Subject.PLAIN;
import static io.belfry.testkit.contract.Subject.key;
import static io.belfry.testkit.contract.Subject.put;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belfry.store.StoreException;
import io.belfry.testkit.engine.RedisServer;
import io.belfry.testkit.engine.TcpProxy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A server that takes no more connections: an outage with a reason, in which nothing that was never sent is unknown. */
class RedisClientsMaxTest {
  private static final int CLIENTS_MAX = 20;

  private final RedisServer server = RedisServer.start("--maxclients", "" + CLIENTS_MAX);
  private final TcpProxy wire = TcpProxy.to(server.port());
  private final List<Socket> others = new ArrayList<>();

  @AfterEach
  void stop() throws IOException {
    leave();
    wire.close();
    server.close();
  }

  private RedisStore connect() {
    return RedisStore.connect(RedisSettings.at("redis://127.0.0.1:" + wire.port())
        .timeouts(new RedisSettings.Timeouts(
            Duration.ofMillis(500), Duration.ofMillis(500), Duration.ofSeconds(1))));
  }

  /** As many others as the server takes, and more that it refuses. */
  private void crowd() throws IOException {
    for (int i = 0; i < 2 * CLIENTS_MAX; i++) {
      others.add(new Socket(InetAddress.getLoopbackAddress(), server.port()));
    }
    await().atMost(Duration.ofSeconds(30)).until(this::isCrowded);
  }

  private boolean isCrowded() {
    return server.ask("PING").getFirst().contains("max number of clients");
  }

  private void leave() throws IOException {
    for (Socket each : others) {
      each.close();
    }
    others.clear();
  }

  @Test
  void what_was_never_sent_is_not_applied_and_says_why() throws IOException {
    try (RedisStore store = connect()) {
      put(store, key(PLAIN, "a"), "1");
      wire.cut();
      crowd();
      wire.mend();
      await("the reason is known")
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(() -> assertThatThrownBy(() -> put(store, key(PLAIN, "a"), "2"))
              .isInstanceOf(StoreException.Unavailable.class)
              .hasMessageContaining("max number of clients"));
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> put(store, key(PLAIN, "a"), "2"))
            .isInstanceOf(StoreException.Unavailable.class);
      }
      leave();
      await("commits succeed again")
          .atMost(Duration.ofSeconds(30))
          .ignoreExceptionsInstanceOf(StoreException.Unavailable.class)
          .until(() -> put(store, key(PLAIN, "a"), "3") > 0);
    }
  }

  @Test
  void the_first_connect_waits_for_its_turn_and_says_why() throws IOException {
    crowd();
    assertThatThrownBy(this::connect)
        .isInstanceOf(StoreException.Unavailable.class)
        .hasMessageContaining("max number of clients");
  }
}
