package io.belfry.server.access;

import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.StoreException;
import java.util.Optional;

/**
 * Revokes admins of all namespaces who do not expire, but never the last of them.
 *
 * <p>All such revocations change one key, the guard: of two at once, on whatever nodes, the store refuses the second, which counts again. Who
 * is left is counted in the store and not in memory, because the feed of a node may be late.
 *
 * <p>Threading: safe.
 */
final class LastAdmin {
  private static final Key GUARD = Key.of(Spaces.BEGINNING, "revoked-admins");
  private static final int TRIES_MAX = 20;

  private final Desk desk;

  LastAdmin(Desk desk) {
    this.desk = desk;
  }

  /** False: it is the last one, and stays. */
  boolean revoke(Key token) {
    for (int tried = 0; tried < TRIES_MAX; tried++) {
      Optional<Entry> guard = desk.find(GUARD);
      long since = guard.map(Entry::revision).orElse(0L);
      Optional<Boolean> others = hasOthers(token, since);
      if (others.isPresent() && !others.get()) {
        return false;
      }
      if (others.isPresent() && desk.commit(commit(guard, token))) {
        return true;
      }
    }
    throw new StoreException.Unavailable(
        "Admins of all namespaces are revoked elsewhere at the same time, so this was not done. Ask again.",
        null);
  }

  private static Commit.Builder commit(Optional<Entry> guard, Key token) {
    Commit.Builder commit = Commit.when();
    guard.ifPresentOrElse(commit::unchanged, () -> commit.absent(GUARD));
    return commit.put(GUARD, Desk.bytes(token.text())).delete(token);
  }

  /** Whether another admin would be left; empty: what was read is older than the guard. */
  private Optional<Boolean> hasOthers(Key token, long since) {
    Optional<Scan> next = Optional.of(Scan.all(Spaces.TOKENS));
    boolean found = false;
    while (next.isPresent() && !found) {
      Page page = desk.scan(next.get());
      if (page.revision() < since) {
        return Optional.empty();
      }
      found = page.entries().stream()
          .filter(entry -> !entry.key().equals(token))
          .flatMap(entry -> Desk.legible(entry, TokenRecord.class).stream())
          .anyMatch(TokenRecord::isKeyHolder);
      next = page.next();
    }
    return Optional.of(found);
  }
}
