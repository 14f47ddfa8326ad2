package io.belfry.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.loop.ThreadLoop;
import io.belfry.library.Engine;
import io.belfry.library.Stores;
import io.belfry.model.time.Time;
import io.belfry.store.DelegatingStore;
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

/** The server's records in a separate store, without a server. */
public final class TestRecordTable implements AutoCloseable {
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Store store;
  private final ThreadLoop loop;
  public final RecordTable table;
  public final NamespaceRegistry namespaces;
  public final Tokens tokens;
  public final Sessions sessions;
  public final Audit audit;

  /**
   * Opens it.
   *
   * @param around wraps the store
   */
  public TestRecordTable(Path folder, Time time, UnaryOperator<Store> around) throws Exception {
    this(
        Stores.open(Engine.at("embedded:" + folder.resolve("store")), "test", "system"),
        time,
        around);
  }

  /** The records of another node in the same store, which stays open when they are closed. */
  TestRecordTable another(Time time, UnaryOperator<Store> around) throws Exception {
    return new TestRecordTable(
        new DelegatingStore(store) {
          @Override
          public void close() {
            // its owner closes it
          }
        },
        time,
        around);
  }

  private TestRecordTable(Store store, Time time, UnaryOperator<Store> around) throws Exception {
    this.store = store;
    this.loop = new ThreadLoop("test", Time.system(), new SplittableRandom(1), thrown -> {});
    var health = new EngineHealth(Time.system(), EngineHealth.Listener.NONE);
    this.table =
        new RecordTable(new MonitoredStore(around.apply(store), health), Duration.ofSeconds(30));
    this.namespaces = new NamespaceRegistry(table, loop, time, RANDOM);
    this.tokens = new Tokens(table, namespaces, loop, time, RANDOM);
    this.sessions = new Sessions(table, tokens, time, RANDOM);
    this.audit = new Audit(table, time, RANDOM);
    tokens.loaded().get(30, TimeUnit.SECONDS);
    namespaces.loaded().get(30, TimeUnit.SECONDS);
  }

  /** Deletes the current namespace with this name. */
  void delete(String namespace) {
    assertThat(namespaces.delete(namespaces.find(namespace).orElseThrow())).isTrue();
  }

  /** All audit log entries, newest first. */
  public List<Audit.Entry> written(String namespace) {
    return audit.list(namespace, java.util.Optional.empty(), 1000).entries();
  }

  @Override
  public void close() {
    tokens.stop();
    namespaces.stop();
    loop.close();
    store.close();
  }
}
