package io.belfry.server.access;

import io.belfry.model.Check;
import io.belfry.model.time.Time;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.StoreException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Limits the number of tokens, per namespace and in total, because every node keeps all tokens in memory.
 *
 * <pre>
 *   create ──▶ counters in the store ──below the limit──▶ commit: token, counters + 1, guarded by the counters as read
 *                        └──at the limit──▶ recount: expired tokens are deleted, otherwise the creation is refused
 * </pre>
 *
 * <p>Law: a counter is never lower than the number of tokens. Revoking and sweeping do not change it; a recount corrects it. Of two concurrent
 * creations, on any nodes, the store refuses the second, because the first has changed the counters.
 *
 * <p>Threading: safe.
 */
final class TokenLimits {
  private static final int ALL_MAX = 10_000;
  /** Of these, reserved for tokens of all namespaces. */
  private static final int RESERVED = 100;

  private static final int OF_NAMESPACE_MAX = 1000;

  private static final String COUNTER = "tokens";
  private static final int TRIES_MAX = 20;
  private static final int DELETED_AT_ONCE = 100;
  /** Expired tokens deleted beyond the necessary number, so that the next creations need no recount. */
  private static final int DELETED_AHEAD = 50;

  /** A counter in the store with its limit; empty if there was no count yet. */
  private record Counter(Key key, Optional<Entry> entry, int most) {
    /** Whether a recount is needed to determine if there is room. */
    boolean isFull() {
      return entry
          .map(each -> RecordTable.read(each.value(), Integer.class) >= most)
          .orElse(true);
    }

    long revision() {
      return entry.map(Entry::revision).orElse(0L);
    }
  }

  /** A token that has expired. */
  private record Expired(Key key, Instant end, boolean own) {}

  /** The result of a recount. */
  private static final class Counted {
    private int all;
    private int own;
    private final List<Expired> expired = new ArrayList<>();

    private int live(boolean ofNamespace) {
      return ofNamespace
          ? own - (int) expired.stream().filter(Expired::own).count()
          : all - expired.size();
    }
  }

  /** Room for one more token, unless another creation takes it first. Threading: immutable. */
  static final class Slot {
    private final List<Counter> counters;
    private final List<Integer> counts;

    private Slot(List<Counter> counters, List<Integer> counts) {
      this.counters = counters;
      this.counts = counts;
    }

    /** Adds the counter updates to the commit that creates the token. */
    void takeBy(Commit.Builder commit) {
      for (int i = 0; i < counters.size(); i++) {
        Counter counter = counters.get(i);
        counter.entry.ifPresentOrElse(commit::unchanged, () -> commit.absent(counter.key));
        commit.put(counter.key, RecordTable.bytes(counts.get(i) + 1));
      }
    }
  }

  private final RecordTable table;
  private final FollowedRecords<TokenRecord> known;
  private final Time time;

  TokenLimits(RecordTable table, FollowedRecords<TokenRecord> known, Time time) {
    this.table = table;
    this.known = known;
    this.time = time;
  }

  /** The counter of a namespace, which ends with it. */
  static Key counter(String scope) {
    return Key.of(Spaces.BEGINNING, COUNTER + "/" + scope);
  }

  /**
   * Finds room for a token.
   *
   * @param scope scope of its namespace; empty: all namespaces
   * @throws io.belfry.model.InvalidException if the limit is reached
   */
  Slot slot(Optional<String> scope) {
    Counter all =
        read(Key.of(Spaces.BEGINNING, COUNTER), scope.isPresent() ? ALL_MAX - RESERVED : ALL_MAX);
    Optional<Counter> own = scope.map(each -> read(counter(each), OF_NAMESPACE_MAX));
    List<Counter> counters = Stream.concat(Stream.of(all), own.stream()).toList();
    if (counters.stream().anyMatch(Counter::isFull) || isFullByMemory(scope, all.most)) {
      Counted counted =
          count(scope, Math.max(all.revision(), own.map(Counter::revision).orElse(0L)));
      makeRoom(counted, scope.isPresent(), all.most);
      return new Slot(counters, List.of(counted.all, counted.own));
    }
    return new Slot(
        counters,
        counters.stream()
            .map(each -> RecordTable.read(each.entry.orElseThrow().value(), Integer.class))
            .toList());
  }

  private Counter read(Key key, int most) {
    return new Counter(key, table.find(key), most);
  }

  /** Checks the limits in memory, too, because nodes of earlier versions do not count their tokens. */
  private boolean isFullByMemory(Optional<String> scope, int most) {
    return known.size() >= most
        || (scope.isPresent()
            && known.current().stream()
                    .filter(each -> each.scope().equals(scope))
                    .count()
                >= OF_NAMESPACE_MAX);
  }

  /** Recounts in the store, not in memory, at the revision of the counters or later. */
  private Counted count(Optional<String> scope, long since) {
    for (int tried = 0; tried < TRIES_MAX; tried++) {
      Optional<Counted> counted = countOnce(scope, since);
      if (counted.isPresent()) {
        return counted.get();
      }
    }
    throw new StoreException.Unavailable(
        "The engine returns stale data, so the tokens cannot be counted. Try again later.", null);
  }

  private Optional<Counted> countOnce(Optional<String> scope, long since) {
    var counted = new Counted();
    Instant now = time.wall();
    Optional<Scan> next = Optional.of(Scan.all(Spaces.TOKENS));
    while (next.isPresent()) {
      Page page = table.scan(next.get());
      if (page.revision() < since) {
        return Optional.empty();
      }
      for (Entry entry : page.entries()) {
        Optional<TokenRecord> record = RecordTable.tryRead(entry, TokenRecord.class);
        boolean own = scope.isPresent() && record.flatMap(TokenRecord::scope).equals(scope);
        counted.all++;
        counted.own += own ? 1 : 0;
        record
            .filter(each -> each.isOver(now))
            .flatMap(TokenRecord::expires)
            .ifPresent(end -> counted.expired.add(new Expired(entry.key(), end, own)));
      }
      next = page.next();
    }
    return Optional.of(counted);
  }

  private void makeRoom(Counted counted, boolean inNamespace, int most) {
    requireFewer(counted.live(false), most, "must be fewer than ");
    if (inNamespace) {
      requireFewer(counted.live(true), OF_NAMESPACE_MAX, "of a namespace must be fewer than ");
    }
    counted.expired.sort(Comparator.comparing(Expired::end));
    if (inNamespace) {
      delete(
          counted,
          counted.expired.stream().filter(Expired::own).toList(),
          counted.own + 1 - OF_NAMESPACE_MAX);
    }
    delete(counted, List.copyOf(counted.expired), counted.all + 1 - most);
  }

  /** Refuses above the limit: the admin of one namespace must not use up the tokens of other namespaces or of global admins. */
  private static void requireFewer(int count, int most, String rule) {
    Check.that(
        count < most,
        "tokens",
        count,
        rule + most + ", because every node keeps those of all namespaces in memory",
        "Revoke unused ones.");
  }

  /** Deletes the oldest expired tokens if there are too many. */
  private void delete(Counted counted, List<Expired> oldest, int excess) {
    if (excess <= 0) {
      return;
    }
    List<Expired> gone = oldest.subList(0, Math.min(oldest.size(), excess + DELETED_AHEAD));
    for (int from = 0; from < gone.size(); from += DELETED_AT_ONCE) {
      Commit.Builder commit = Commit.when();
      gone.subList(from, Math.min(gone.size(), from + DELETED_AT_ONCE))
          .forEach(each -> commit.delete(each.key));
      var unused = table.commit(commit);
    }
    counted.expired.removeAll(gone);
    counted.all -= gone.size();
    counted.own -= (int) gone.stream().filter(Expired::own).count();
  }
}
