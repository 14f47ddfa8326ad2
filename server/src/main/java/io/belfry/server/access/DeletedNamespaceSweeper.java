package io.belfry.server.access;

import io.belfry.model.time.Time;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Space;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Deletes the tokens and secrets of deleted namespaces, and their audit log after its retention time. They are already invalid, because their
 * {@linkplain NamespaceRecord#scope scope} does not exist any more; sweeping only frees storage.
 *
 * <p>It scans the whole spaces, page by page, so that it also finds leftovers after a crash, after a restart, and from slow requests that wrote
 * after the deletion. Each commit is guarded by the namespace record as it was read, so that a namespace that this node does not know yet loses
 * nothing.
 *
 * <p>Threading: safe.
 */
public final class DeletedNamespaceSweeper {
  private static final int DELETED_AT_ONCE = 100;
  private static final Duration SPARE = Duration.ofDays(1);

  /** The namespace that a record belongs to. */
  private record Owner(String name, Optional<String> incarnation) {
    String scope() {
      return NamespaceRecord.scope(name, incarnation);
    }
  }

  private final RecordTable table;
  private final NamespaceRegistry namespaces;
  private final Audit audit;
  private final Time time;

  public DeletedNamespaceSweeper(
      RecordTable table, NamespaceRegistry namespaces, Audit audit, Time time) {
    this.table = table;
    this.namespaces = namespaces;
    this.audit = audit;
    this.time = time;
  }

  /** Runs a full sweep; returns the number of deleted records. */
  public int sweep() {
    int swept = sweep(Spaces.TOKENS, DeletedNamespaceSweeper::ownerOfToken)
        + sweep(Spaces.SECRETS, DeletedNamespaceSweeper::ownerOfSecret);
    for (NamespaceRegistry.Ended ended : namespaces.ended()) {
      audit.sweep(ended.scope());
      if (ended.ended().plus(Audit.KEPT).plus(SPARE).isBefore(time.wall())) {
        namespaces.forget(ended);
      }
    }
    return swept;
  }

  private static Optional<Owner> ownerOfToken(Entry entry) {
    return RecordTable.tryRead(entry, TokenRecord.class)
        .flatMap(record -> record.namespace().map(name -> new Owner(name, record.incarnation())));
  }

  private static Optional<Owner> ownerOfSecret(Entry entry) {
    String[] parts = entry.key().text().split("/", -1);
    return switch (parts.length) {
      case 2 -> Optional.of(new Owner(parts[0], Optional.empty()));
      case 3 -> Optional.of(new Owner(parts[0], Optional.of(parts[1])));
      default -> Optional.empty();
    };
  }

  private int sweep(Space space, Function<Entry, Optional<Owner>> ownerOf) {
    int swept = 0;
    Optional<Scan> next = Optional.of(Scan.all(space));
    while (next.isPresent()) {
      Page page = table.scan(next.get());
      Map<Owner, List<Key>> left = new LinkedHashMap<>();
      page.entries()
          .forEach(entry -> ownerOf
              .apply(entry)
              .filter(owner -> !namespaces.isCurrent(owner.scope()))
              .ifPresent(owner ->
                  left.computeIfAbsent(owner, each -> new ArrayList<>()).add(entry.key())));
      for (Map.Entry<Owner, List<Key>> each : left.entrySet()) {
        swept += delete(each.getKey(), each.getValue());
      }
      next = page.next();
    }
    return swept;
  }

  private int delete(Owner owner, List<Key> keys) {
    Optional<Entry> now = namespaces.entry(owner.name());
    if (now.isPresent()
        && RecordTable.read(now.get().value(), NamespaceRecord.class)
            .scope()
            .equals(owner.scope())) {
      return 0; // the watch of this node lags behind
    }
    int deleted = 0;
    for (int from = 0; from < keys.size(); from += DELETED_AT_ONCE) {
      List<Key> some = keys.subList(from, Math.min(keys.size(), from + DELETED_AT_ONCE));
      Commit.Builder commit = Commit.when();
      now.ifPresentOrElse(
          commit::unchanged, () -> commit.absent(NamespaceRegistry.key(owner.name())));
      some.forEach(commit::delete);
      deleted += table.commit(commit) ? some.size() : 0;
    }
    return deleted;
  }
}
