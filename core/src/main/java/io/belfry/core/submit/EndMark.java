package io.belfry.core.submit;

import io.belfry.core.keys.Keys;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Guard;

/**
 * The mark of a namespace that takes in nothing new, because it is being deleted. Whatever would be lost with the namespace is written under its
 * absence, so that no node need have heard of it: new jobs, submitted tasks, retries. A trigger needs no guard of its own, because its job does.
 *
 * <p>Threading: stateless.
 */
public final class EndMark {
  private static final byte CHECKING = 1;
  private static final byte FOR_GOOD = 2;

  private EndMark() {}

  /** Written under a lease while somebody looks whether the namespace is empty. */
  public static byte[] checking() {
    return new byte[] {CHECKING};
  }

  /** Written once it has been found empty; never deleted. */
  public static byte[] forGood() {
    return new byte[] {FOR_GOOD};
  }

  public static boolean isForGood(Entry mark) {
    return mark.value().length > 0 && mark.value()[0] == FOR_GOOD;
  }

  /** Adds the guard, behind all others: what repeats something that was accepted before is refused by those, and answered as before. */
  public static Commit.Builder unlessEnded(Commit.Builder commit) {
    return commit.absent(Keys.ENDED);
  }

  /** Whether that guard has refused a commit. */
  public static boolean isRefusedBy(Guard guard) {
    return guard.key().equals(Keys.ENDED);
  }
}
