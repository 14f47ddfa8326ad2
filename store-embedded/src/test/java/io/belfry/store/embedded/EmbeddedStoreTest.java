package io.belfry.store.embedded;

import io.belfry.store.Store;
import io.belfry.testkit.contract.StoreContract;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

/** The embedded store keeps the promises of every store. */
class EmbeddedStoreTest extends StoreContract {
  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
  Path temp;

  private @Nullable EmbeddedStore embedded;

  @Override
  protected Store open() {
    embedded = EmbeddedStore.open(EmbeddedSettings.of(temp.resolve("store")));
    return embedded;
  }

  /** A directory has one process, and a process one store on it. */
  @Override
  protected Store openAnother() {
    return opened();
  }

  @Override
  protected Store openInAnotherEpoch() {
    opened().close();
    long unused = EmbeddedStore.beginEpoch(EmbeddedSettings.of(temp.resolve("store")));
    return open();
  }

  @Override
  public void forgetFeed() {
    opened().forgetFeed();
  }

  private EmbeddedStore opened() {
    if (embedded == null) {
      throw new IllegalStateException("open() comes first");
    }
    return embedded;
  }
}
