package io.belfry.store;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Writes that happen together, under conditions.
 *
 * <pre>{@code
 * Commit.when().absent(task).unchanged(cursor, seen).holds(term, won)
 *     .put(task, body).put(cursor, next).build()
 * }</pre>
 *
 * @param evenIfFull whether a full engine should apply it if it can; a commit that only deletes needs no such request
 */
public record Commit(List<Guard> guards, List<Write> writes, boolean evenIfFull) {

  public Commit(List<Guard> guards, List<Write> writes) {
    this(guards, writes, false);
  }

  public Commit {
    guards = List.copyOf(guards);
    writes = List.copyOf(writes);
    require(
        !writes.isEmpty(),
        "A commit must write something: a question alone is answered by get or scan.");
    if (guards.size() > Limits.GUARDS_MAX) {
      throw new TooLargeException("A commit", guards.size(), Limits.GUARDS_MAX, "guards");
    }
    if (writes.size() > Limits.WRITES_MAX) {
      throw new TooLargeException("A commit", writes.size(), Limits.WRITES_MAX, "writes");
    }
    requireDistinct(guards, Guard::key, "guarded");
    requireDistinct(writes, Write::key, "written");
    long bytes = bytes(guards, writes);
    if (bytes > Limits.COMMIT_BYTES_MAX) {
      throw new TooLargeException("A commit", bytes, Limits.COMMIT_BYTES_MAX, "bytes");
    }
  }

  public static Builder when() {
    return new Builder();
  }

  /** The larger of its two lists: what it costs of an engine's limit on operations. */
  public int operations() {
    return Math.max(guards.size(), writes.size());
  }

  public long bytes() {
    return bytes(guards, writes);
  }

  private static long bytes(List<Guard> guards, List<Write> writes) {
    long sum = 0;
    for (Guard guard : guards) {
      sum += guard.key().bytes();
    }
    for (Write write : writes) {
      sum += write.bytes();
    }
    return sum;
  }

  private static <T> void requireDistinct(List<T> all, Function<T, Key> keyOf, String how) {
    if (all.size() < 2) {
      return;
    }
    Set<Key> seen = HashSet.newHashSet(all.size());
    for (T each : all) {
      Key key = keyOf.apply(each);
      if (!seen.add(key)) {
        throw new IllegalArgumentException("A key must be " + how
            + " once in a commit, because a step has no order inside, but " + key
            + " was given twice. Keep the one you mean.");
      }
    }
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }

  /** Threading: confined to its caller. */
  public static final class Builder {
    private final List<Guard> guards = new ArrayList<>();
    private final List<Write> writes = new ArrayList<>();
    private boolean evenIfFull;

    private Builder() {}

    public Builder absent(Key key) {
      guards.add(new Guard.Absent(key));
      return this;
    }

    public Builder unchanged(Key key, long revision) {
      guards.add(new Guard.Unchanged(key, revision));
      return this;
    }

    public Builder unchanged(Entry entry) {
      return unchanged(entry.key(), entry.revision());
    }

    public Builder holds(Key fence, long revision) {
      guards.add(new Guard.Holds(fence, revision));
      return this;
    }

    public Builder put(Key key, byte[] value) {
      return put(key, value, Lease.NONE);
    }

    public Builder put(Key key, byte[] value, long lease) {
      writes.add(new Write.Put(key, value, lease));
      return this;
    }

    public Builder delete(Key key) {
      writes.add(new Write.Delete(key));
      return this;
    }

    /**
     * Asks a full engine to apply it nevertheless: for small writes of a bounded number without which nobody could make room, such as
     * those of an election. Redis does, and so does an embedded store as long as there is more room than deletes need; etcd refuses it like any
     * other.
     */
    public Builder evenIfFull() {
      evenIfFull = true;
      return this;
    }

    /** All guards and writes of another commit, behind those so far. */
    public Builder also(Commit other) {
      guards.addAll(other.guards);
      writes.addAll(other.writes);
      return this;
    }

    public Commit build() {
      return new Commit(guards, writes, evenIfFull);
    }
  }
}
