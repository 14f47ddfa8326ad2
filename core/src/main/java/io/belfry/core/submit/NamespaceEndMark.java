package io.belfry.core.submit;

import io.belfry.core.keys.Keys;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Guard;

/**
 * The mark of a namespace that is being deleted and accepts nothing new. Its absence guards every commit of something that would be lost with
 * the namespace, on any node: new jobs, submitted tasks, retries. A trigger needs no guard of its own, because its job is one.
 *
 * <p>Threading: stateless.
 */
public final class NamespaceEndMark {
  private static final byte CHECKING = 1;
  private static final byte FOR_GOOD = 2;

  private NamespaceEndMark() {}

  /** Written under a lease while a check is running whether the namespace is empty. */
  public static byte[] checking() {
    return new byte[] {CHECKING};
  }

  /** Written once the namespace was found empty; never deleted. */
  public static byte[] forGood() {
    return new byte[] {FOR_GOOD};
  }

  public static boolean isForGood(Entry mark) {
    return mark.value().length > 0 && mark.value()[0] == FOR_GOOD;
  }

  /** Adds the guard as the last one: the earlier guards refuse a repetition, which is answered as before. */
  public static Commit.Builder unlessEnded(Commit.Builder commit) {
    return commit.absent(Keys.ENDED);
  }

  /** Whether this guard is the one that refused a commit. */
  public static boolean isRefusedBy(Guard guard) {
    return guard.key().equals(Keys.ENDED);
  }
}
