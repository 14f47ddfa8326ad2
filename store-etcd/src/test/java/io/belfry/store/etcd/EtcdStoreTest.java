package io.belfry.store.etcd;

import io.belfry.store.Store;
import io.belfry.testkit.contract.StoreContract;
import io.belfry.testkit.engine.EtcdOptions;
import io.belfry.testkit.engine.EtcdServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The store on a real etcd keeps every promise. */
class EtcdStoreTest extends StoreContract {
  private static EtcdServer etcd;
  private static int namespaces;

  @BeforeAll
  static void startEtcd() {
    etcd = EtcdServer.start(EtcdOptions.DEFAULT);
  }

  @AfterAll
  static void stopEtcd() {
    etcd.close();
  }

  @Override
  protected Store open() {
    namespaces++;
    return openAnother();
  }

  @Override
  protected Store openAnother() {
    return EtcdStore.connect(EtcdSettings.of(etcd.uri(), "ns" + namespaces));
  }

  /** As if the data set had been restored on another cluster. */
  @Override
  protected Store openInAnotherEpoch() {
    etcd.gateway().put("/belfry/ns" + namespaces + "/!epoch", "1 7");
    return openAnother();
  }

  @Override
  public void forgetFeed() {
    etcd.gateway().compact();
  }
}
