package io.belfry.server.access;

import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.StoreException;
import java.util.Optional;

/**
 * Revokes global admin tokens that do not expire, but never the last one.
 *
 * <p>Every such revocation changes one guard key: of two concurrent ones, on any nodes, the store refuses the second, which then counts again.
 * The remaining admins are counted in the store and not in memory, because the watch of a node may lag behind.
 *
 * <p>Threading: safe.
 */
final class LastAdmin {
  private static final Key GUARD = Key.of(Spaces.BEGINNING, "revoked-admins");
  private static final int TRIES_MAX = 20;

  private final RecordTable table;

  LastAdmin(RecordTable table) {
    this.table = table;
  }

  /** Revokes the token; false if it is the last admin token, which is kept. */
  boolean revoke(Key token) {
    for (int tried = 0; tried < TRIES_MAX; tried++) {
      Optional<Entry> guard = table.find(GUARD);
      long since = guard.map(Entry::revision).orElse(0L);
      Optional<Boolean> others = hasOthers(token, since);
      if (others.isPresent() && !others.get()) {
        return false;
      }
      if (others.isPresent() && table.commit(commit(guard, token))) {
        return true;
      }
    }
    throw new StoreException.Unavailable(
        "The token was not revoked, because other global admin tokens are being revoked at the same time. Try again.",
        null);
  }

  private static Commit.Builder commit(Optional<Entry> guard, Key token) {
    Commit.Builder commit = Commit.when();
    guard.ifPresentOrElse(commit::unchanged, () -> commit.absent(GUARD));
    return commit.put(GUARD, RecordTable.bytes(token.text())).delete(token);
  }

  /** Whether another admin token remains; empty if the data read is older than the guard. */
  private Optional<Boolean> hasOthers(Key token, long since) {
    Optional<Scan> next = Optional.of(Scan.all(Spaces.TOKENS));
    boolean found = false;
    while (next.isPresent() && !found) {
      Page page = table.scan(next.get());
      if (page.revision() < since) {
        return Optional.empty();
      }
      found = page.entries().stream()
          .filter(entry -> !entry.key().equals(token))
          .flatMap(entry -> RecordTable.tryRead(entry, TokenRecord.class).stream())
          .anyMatch(TokenRecord::isKeyHolder);
      next = page.next();
    }
    return Optional.of(found);
  }
}
