package io.belfry.store.etcd;

import io.belfry.store.Store;
import io.belfry.store.etcd.EtcdSettings.Timeouts;
import io.belfry.testkit.engine.EtcdServer;
import io.belfry.testkit.fault.AdapterFaults;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The law of adapters on a bad network, on etcd. */
class EtcdFaultTest extends AdapterFaults {
  private static final Duration REQUEST = Duration.ofSeconds(2);

  private static EtcdServer etcd;

  @BeforeAll
  static void startEtcd() {
    etcd = EtcdServer.start();
    // The first connection of a process loads hundreds of classes, which takes longer than the
    // short timeouts below on a busy machine.
    EtcdStore.connect(EtcdSettings.of(etcd.uri(), "warm-up")).close();
  }

  @AfterAll
  static void stopEtcd() {
    etcd.close();
  }

  @Override
  protected int enginePort() {
    return etcd.port();
  }

  @Override
  protected Store connectTo(int port) {
    return EtcdStore.connect(EtcdSettings.of("etcd://127.0.0.1:" + port, "faults")
        .timeouts(new Timeouts(
            Duration.ofMillis(500), REQUEST, Duration.ofMillis(200), Duration.ofSeconds(1))));
  }

  /** A commit may wait for the batch before it. */
  @Override
  protected Duration callDeadline() {
    return REQUEST.multipliedBy(2).plusSeconds(1);
  }
}
