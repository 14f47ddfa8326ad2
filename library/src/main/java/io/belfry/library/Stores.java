package io.belfry.library;

import io.belfry.model.Check;
import io.belfry.model.WireName;
import io.belfry.model.time.Time;
import io.belfry.store.CommitObserver;
import io.belfry.store.EngineHealth;
import io.belfry.store.MonitoredStore;
import io.belfry.store.Store;

/**
 * Opens plain stores for your program's own data on the same engine as Belfry. You define the keys and spaces there.
 *
 * <p>Threading: stateless.
 */
public final class Stores {
  /** Prefix of namespaces reserved for Belfry; {@link Settings#namespace} refuses them. */
  public static final String RESERVED = "belfry.";

  /**
   * Prefix of the stores of namespaces that a server created after deleting one with the same name, so that no old data reappears. To join such
   * a namespace, use this store name as the namespace; the server shows it as {@code store}.
   */
  public static final String RECREATED = RESERVED + "ns.";

  private static final int NAME_CHARS_MAX = 64;

  private Stores() {}

  /**
   * Connects to the store of a namespace, which need not exist. An embedded store can be open in one process at a time.
   *
   * @param prefix prefix of all keys on etcd or Redis; see {@link Settings#prefix}
   * @return the store; the caller must close it
   * @throws io.belfry.model.InvalidException if an argument is invalid
   * @throws io.belfry.store.StoreException if the store cannot be used
   */
  public static Store open(Engine engine, String prefix, String namespace) {
    checkNames(prefix, namespace);
    engine.check(prefix, namespace);
    return engine.open(prefix, namespace, CommitObserver.NONE);
  }

  /**
   * Like {@link #open}, and monitors whether the engine accepts writes: outages are logged. The owner must send a commit at least once a second
   * ({@link io.belfry.core.node.HealthCheck}), because health is derived from commits.
   *
   * @param consequence what does not work during an outage, for the log
   */
  public static MonitoredStore openMonitored(
      Engine engine, String prefix, String namespace, Time time, String consequence) {
    var log = new EngineLog(WireName.of(engine.uri().kind()), namespace, consequence, time);
    return new MonitoredStore(open(engine, prefix, namespace), new EngineHealth(time, log));
  }

  static void checkNames(String prefix, String namespace) {
    Check.name("namespace", namespace, NAME_CHARS_MAX);
    KeyPrefix.parse(prefix);
  }
}
