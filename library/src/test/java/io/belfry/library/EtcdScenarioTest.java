package io.belfry.library;

import io.belfry.testkit.engine.EtcdServer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class EtcdScenarioTest extends Scenario {
  private static final AtomicInteger NAMESPACES = new AtomicInteger();
  private static EtcdServer server;

  @BeforeAll
  static void start() {
    server = EtcdServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Override
  protected Settings settings() {
    return Settings.defaults()
        .store(server.uri())
        .prefix("/my-app/scheduler/")
        .namespace("n" + NAMESPACES.incrementAndGet());
  }
}
