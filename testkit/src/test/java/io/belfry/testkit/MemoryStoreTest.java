package io.belfry.testkit;

import io.belfry.model.time.Time;
import io.belfry.store.MemoryStore;
import io.belfry.store.Store;
import io.belfry.testkit.contract.StoreContract;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;

/** The specification keeps its own promises. */
class MemoryStoreTest extends StoreContract {
  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private final MemoryStore memory = new MemoryStore(Time.system(), thread);

  @Override
  protected Store open() {
    var unused = thread.scheduleWithFixedDelay(memory::tick, 50, 50, TimeUnit.MILLISECONDS);
    return memory;
  }

  @Override
  protected Store openAnother() {
    return memory;
  }

  @Override
  protected Store openInAnotherEpoch() {
    memory.beginEpoch();
    return memory;
  }

  @Override
  public void forgetFeed() {
    memory.forgetFeed();
  }

  @AfterEach
  void stopTheThread() {
    thread.shutdownNow();
  }
}
