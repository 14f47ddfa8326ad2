package io.belfry.library;

import io.belfry.model.Check;
import io.belfry.model.WireName;
import io.belfry.model.time.Time;
import io.belfry.store.CommitObserver;
import io.belfry.store.EngineHealth;
import io.belfry.store.MonitoredStore;
import io.belfry.store.Store;

/**
 * Opens plain stores beside a Belfry, for data of a program's own that shall lie on the same engine. Keys and spaces are the program's
 * affair there.
 *
 * <p>Threading: stateless.
 */
public final class Stores {
  /** Namespaces that begin so belong to Belfry's own parts; {@link Settings#namespace} refuses them. */
  public static final String RESERVED = "belfry.";

  /**
   * How the stores of namespaces are called that a server created after it had deleted one of the same name: none of its data must be seen
   * again. A program that joins such a namespace names this store; the server shows it as {@code store} of the namespace.
   */
  public static final String RECREATED = RESERVED + "ns.";

  private static final int NAME_CHARS_MAX = 64;

  private Stores() {}

  /**
   * Connects to a namespace, which need not exist. On an embedded engine it is one process at a time that has it.
   *
   * @param prefix with what all keys on etcd or Redis begin; see {@link Settings#prefix}
   * @return to be closed by the caller
   * @throws io.belfry.model.InvalidException if the values do not fit together
   * @throws io.belfry.store.StoreException if the store cannot be used
   */
  public static Store open(Engine engine, String prefix, String namespace) {
    checkNames(prefix, namespace);
    engine.check(prefix, namespace);
    return engine.open(prefix, namespace, CommitObserver.NONE);
  }

  /**
   * The same, with an eye on whether the engine accepts writes, which is logged as for a Belfry. The owner sends a commit at least once a
   * second ({@link io.belfry.core.node.HealthCheck}), because nothing is known of an engine to which nothing is sent.
   *
   * @param consequence what does not happen while it does not, for the log
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
