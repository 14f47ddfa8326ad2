package io.belfry.server.access;

import io.belfry.core.loop.ThreadLoop;
import io.belfry.library.Engine;
import io.belfry.library.Stores;
import io.belfry.model.time.Time;
import io.belfry.store.EngineHealth;
import io.belfry.store.MonitoredStore;
import io.belfry.store.Store;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** The server's own records on a store of their own, without a server. */
public final class OpenDesk implements AutoCloseable {
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Store store;
  private final ThreadLoop loop;
  public final Tokens tokens;
  public final Sessions sessions;
  public final Audit audit;

  /**
   * Opens it.
   *
   * @param around puts something between the records and their store
   */
  public OpenDesk(Path folder, Time time, UnaryOperator<Store> around) throws Exception {
    this.store = Stores.open(Engine.at("embedded:" + folder.resolve("store")), "test", "system");
    this.loop = new ThreadLoop("test", Time.system(), new SplittableRandom(1), thrown -> {});
    var health = new EngineHealth(Time.system(), EngineHealth.Listener.NONE);
    var desk = new Desk(new MonitoredStore(around.apply(store), health), Duration.ofSeconds(30));
    this.tokens = new Tokens(desk, loop, time, RANDOM);
    this.sessions = new Sessions(desk, tokens, time, RANDOM);
    this.audit = new Audit(desk, time, RANDOM);
    tokens.loaded().get(30, TimeUnit.SECONDS);
  }

  /** All that was written down there, the newest first. */
  public List<Audit.Entry> written(String namespace) {
    return audit.list(namespace, java.util.Optional.empty(), 1000).entries();
  }

  @Override
  public void close() {
    tokens.stop();
    loop.close();
    store.close();
  }
}
