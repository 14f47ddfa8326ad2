package io.belfry.testkit.contract;

import io.belfry.store.Store;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The contract of every store. Each interface is one promise. */
public abstract class StoreContract
    implements CommitPromise,
        GuardPromise,
        OrderPromise,
        LeasePromise,
        WatchPromise,
        ResumePromise,
        EpochPromise,
        ConcurrencyPromise,
        OutcomePromise,
        ClosingPromise {

  private final List<Store> opened = new ArrayList<>();
  private @Nullable Store store;

  /** A client of a fresh, empty data set. */
  protected abstract Store open();

  /** Another client of the data set of the last {@link #open()}; the same client if the engine has only one. */
  protected abstract Store openAnother();

  /** Starts another epoch; returns a client of the same data set. */
  protected abstract Store openInAnotherEpoch();

  @BeforeEach
  void openStore() {
    store = open();
    opened.add(store);
  }

  @AfterEach
  void closeStores() {
    opened.forEach(Store::close);
    opened.clear();
  }

  @Override
  public final Store store() {
    if (store == null) {
      throw new IllegalStateException("The store is opened before each test.");
    }
    return store;
  }

  @Override
  public final Store another() {
    Store another = openAnother();
    opened.add(another);
    return another;
  }

  @Override
  public final Store inAnotherEpoch() {
    Store later = openInAnotherEpoch();
    opened.add(later);
    return later;
  }
}
