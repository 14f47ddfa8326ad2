package io.belfry.store.redis;

import io.belfry.store.Store;
import io.belfry.testkit.contract.StoreContract;
import io.belfry.testkit.engine.RedisServer;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract, on a real standalone server. */
class RedisStoreTest extends StoreContract {
  private static final AtomicInteger NAMESPACES = new AtomicInteger();
  private static @Nullable RedisServer server;

  private final String namespace = "contract-" + NAMESPACES.incrementAndGet();

  @BeforeAll
  static void startServer() {
    server = RedisServer.start();
  }

  @AfterAll
  static void stopServer() {
    server().close();
  }

  private static RedisServer server() {
    if (server == null) {
      throw new IllegalStateException("The server is started before all tests.");
    }
    return server;
  }

  @Override
  protected Store open() {
    return openAnother();
  }

  @Override
  protected Store openAnother() {
    return RedisStore.connect(RedisSettings.at(server().uri()).namespace(namespace));
  }

  /** As if another server had taken over. */
  @Override
  protected Store openInAnotherEpoch() {
    server().ask("HSET", "{belfry:" + namespace + "}m", "r", "0123456789abcdef");
    return openAnother();
  }

  /** As if the cap of the feeds had been reached by the next change. */
  @Override
  public void forgetFeed() {
    for (String key : server().ask("KEYS", "{belfry:" + namespace + "}f*")) {
      server().ask("XTRIM", key, "MAXLEN", "0");
    }
  }
}
