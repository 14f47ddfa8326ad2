package io.belfry.store.redis;

import io.belfry.store.Store;
import io.belfry.testkit.engine.RedisServer;
import io.belfry.testkit.fault.AdapterFaults;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;

/** Connections to Redis are cut at random byte offsets: every call completes in time with a true outcome. */
class RedisConnectionFaultTest extends AdapterFaults {
  private static final RedisSettings.Timeouts TIMEOUTS = new RedisSettings.Timeouts(
      Duration.ofMillis(400), Duration.ofMillis(400), Duration.ofMillis(1000));

  private final RedisServer server = RedisServer.start();

  @AfterEach
  void stop() {
    server.close();
  }

  @Override
  protected int enginePort() {
    return server.port();
  }

  @Override
  protected Store connectTo(int port) {
    return RedisStore.connect(RedisSettings.at("redis://127.0.0.1:" + port).timeouts(TIMEOUTS));
  }

  @Override
  protected void refuseForAMoment() {
    server.ask("CONFIG", "SET", "min-replicas-to-write", "1");
    server.ask("CONFIG", "SET", "min-replicas-to-write", "0");
  }

  @Override
  protected Duration callDeadline() {
    return TIMEOUTS.answer();
  }
}
