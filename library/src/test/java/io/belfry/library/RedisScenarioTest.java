package io.belfry.library;

import io.belfry.testkit.engine.RedisServer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class RedisScenarioTest extends Scenario {
  private static final AtomicInteger NAMESPACES = new AtomicInteger();
  private static RedisServer server;

  @BeforeAll
  static void start() {
    server = RedisServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Override
  protected Settings settings() {
    return Settings.defaults().store(server.uri()).namespace("n" + NAMESPACES.incrementAndGet());
  }
}
