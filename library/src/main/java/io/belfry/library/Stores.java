package io.belfry.library;

import io.belfry.model.Check;
import io.belfry.store.CommitObserver;
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

  static void checkNames(String prefix, String namespace) {
    Check.name("namespace", namespace, NAME_CHARS_MAX);
    KeyPrefix.parse(prefix);
  }
}
