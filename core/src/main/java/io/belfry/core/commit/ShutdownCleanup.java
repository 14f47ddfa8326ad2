package io.belfry.core.commit;

import io.belfry.core.loop.Loop;
import io.belfry.store.Commit;
import io.belfry.store.Key;
import io.belfry.store.Store;
import java.time.Duration;
import java.util.Collection;

/**
 * Deletes the keys that a process would leave behind when it stops. It tries once: the leader finds and deletes the rest an hour later.
 * Threading: stateless.
 */
public final class ShutdownCleanup {
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private ShutdownCleanup() {}

  /**
   * Deletes the keys.
   *
   * @param then called once: when the keys are deleted, could not be deleted, or no answer came in time
   */
  public static void delete(Loop loop, Store store, Collection<Key> keys, Runnable then) {
    if (keys.isEmpty()) {
      then.run();
      return;
    }
    var once = new Runnable() {
      private boolean ran;

      @Override
      public void run() {
        if (!ran) {
          ran = true;
          then.run();
        }
      }
    };
    Commit.Builder commit = Commit.when();
    keys.forEach(commit::delete);
    var unused = loop.after(PATIENCE, once);
    loop.onResult(store.commit(commit.build()), done -> once.run(), failure -> once.run());
  }
}
