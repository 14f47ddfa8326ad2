package io.belfry.server.access;

import io.belfry.core.loop.Loop;
import io.belfry.model.Check;
import io.belfry.model.time.Time;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Scan;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The registry of namespaces. Each creation of a namespace is a new incarnation: it does not see the data of a deleted namespace with the same
 * name.
 *
 * <pre>
 *   create: namespace absent ──▶ record (incarnation, store)
 *   delete: namespace unchanged ──▶ deletion record, from which leftovers are swept, also after a restart
 * </pre>
 *
 * <p>Threading: safe.
 */
public final class NamespaceRegistry {
  private static final int NAMESPACES_MAX = 1000;
  private static final int ENDED_MAX = 10_000;
  private static final int TRIES_MAX = 10;
  private static final String USED = "n/";
  private static final String ENDED = "i/";

  /** Prefix of store names that differ from the name of their namespace. It is reserved, so no namespace has such a name. */
  public static final String STORES = io.belfry.library.Stores.RECREATED;

  /** A deleted incarnation whose leftovers are being swept. */
  public record Ended(String name, Optional<String> incarnation, String store, Instant ended) {
    String scope() {
      return NamespaceRecord.scope(name, incarnation);
    }
  }

  private final RecordTable table;
  private final Time time;
  private final SecureRandom random;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private final FollowedRecords<NamespaceRecord> known;

  public NamespaceRegistry(RecordTable table, Loop loop, Time time, SecureRandom random) {
    this.table = table;
    this.time = time;
    this.random = random;
    this.known = new FollowedRecords<>(
        table,
        loop,
        Spaces.NAMESPACES,
        NamespaceRecord.class,
        NamespaceRecord::scope,
        () -> listeners.forEach(Runnable::run));
  }

  /** Completes when the namespaces have been loaded from the store. */
  public CompletableFuture<Void> loaded() {
    return known.loaded();
  }

  /** Registers a listener that is called on the loop after each change. */
  public void onChange(Runnable listener) {
    listeners.add(listener);
  }

  static Key key(String name) {
    return Key.of(Spaces.NAMESPACES, name);
  }

  private static Key used(String name) {
    return Key.of(Spaces.ENDED_NAMESPACES, USED + name);
  }

  /** The namespace with this name, from memory. */
  public Optional<NamespaceRecord> current(String name) {
    return known.find(name);
  }

  /** All namespaces, from memory. */
  public List<NamespaceRecord> current() {
    return known.current();
  }

  /** The namespace with this {@linkplain NamespaceRecord#scope scope}, from memory; never a later incarnation. */
  public Optional<NamespaceRecord> currentOf(String scope) {
    return known.findById(scope);
  }

  /** Whether the namespace with this {@linkplain NamespaceRecord#scope scope} exists, from memory. */
  public boolean isCurrent(String scope) {
    return currentOf(scope).isPresent();
  }

  /** Creates a namespace; empty if the name is in use. */
  public Optional<NamespaceRecord> create(String name, String description) {
    int count = list().size();
    Check.that(
        count < NAMESPACES_MAX,
        "namespaces",
        count,
        "must be fewer than " + NAMESPACES_MAX + ", because every node opens all of them",
        "Delete unused ones.");
    for (int tried = 0; tried < TRIES_MAX && find(name).isEmpty(); tried++) {
      String incarnation = Secret.id(random);
      boolean fresh = table.find(used(name)).isPresent() || hasLeftovers(name);
      var record = new NamespaceRecord(
          name,
          description,
          time.wall(),
          Optional.of(incarnation),
          fresh ? Optional.of(STORES + incarnation) : Optional.empty());
      Commit.Builder commit =
          Commit.when().absent(key(name)).put(key(name), RecordTable.bytes(record));
      if (known.write(key(name), fresh ? commit : commit.absent(used(name)))) {
        return Optional.of(record);
      }
    }
    return Optional.empty();
  }

  /** Whether secrets are left from a namespace of this name that was deleted by a version without incarnations. */
  private boolean hasLeftovers(String name) {
    byte[] prefix = (name + "/").getBytes(StandardCharsets.UTF_8);
    return !table.scan(Scan.prefix(Spaces.SECRETS, prefix).limit(1)).entries().isEmpty();
  }

  /** The namespace with this name, from the store. */
  public Optional<NamespaceRecord> find(String name) {
    return entry(name).map(entry -> RecordTable.read(entry.value(), NamespaceRecord.class));
  }

  /** The stored entry, for use as a guard. */
  Optional<Entry> entry(String name) {
    return table.find(key(name));
  }

  /** All namespaces by name, from the store. */
  public List<NamespaceRecord> list() {
    return table.scan(Scan.all(Spaces.NAMESPACES)).entries().stream()
        .flatMap(entry -> RecordTable.tryRead(entry, NamespaceRecord.class).stream())
        .toList();
  }

  /** The stored entry of this incarnation; never a later one. */
  private Optional<Entry> entry(NamespaceRecord namespace) {
    return entry(namespace.name())
        .filter(entry -> RecordTable.read(entry.value(), NamespaceRecord.class)
            .scope()
            .equals(namespace.scope()));
  }

  /**
   * Deletes this incarnation of the namespace, never a later one, even if this node's view is outdated. Its tokens are refused from now on. The
   * namespace must have been terminated before, so that no accepted work is lost.
   *
   * @return false if it does not exist any more
   */
  public boolean delete(NamespaceRecord namespace) {
    Optional<Entry> entry = entry(namespace);
    if (entry.isEmpty()) {
      return false;
    }
    String name = namespace.name();
    var ended = new Ended(name, namespace.incarnation(), namespace.storeName(), time.wall());
    Commit.Builder commit = Commit.when()
        .unchanged(entry.get())
        .delete(key(name))
        .delete(TokenLimits.counter(namespace.scope()))
        .put(ended(ended), RecordTable.bytes(ended));
    if (isStoreOfName(namespace)) {
      requireRoom();
      commit.put(used(name), RecordTable.bytes(ended));
    }
    if (!table.commit(commit)) {
      return false;
    }
    known.hide(namespace);
    return true;
  }

  private static boolean isStoreOfName(NamespaceRecord namespace) {
    return namespace.storeName().equals(namespace.name());
  }

  /**
   * Checks that the name of the namespace can be recorded as deleted. To be called before the namespace is terminated.
   *
   * @throws io.belfry.model.InvalidException if too many deleted names are recorded
   */
  public void requireDeletable(NamespaceRecord namespace) {
    if (isStoreOfName(namespace)) {
      requireRoom();
    }
  }

  private static Key ended(Ended ended) {
    return Key.of(Spaces.ENDED_NAMESPACES, ENDED + ended.scope());
  }

  private void requireRoom() {
    int count = 0;
    Optional<Scan> next =
        Optional.of(Scan.prefix(Spaces.ENDED_NAMESPACES, USED.getBytes(StandardCharsets.UTF_8)));
    while (next.isPresent()) {
      var page = table.scan(next.get());
      count += page.entries().size();
      next = page.next();
    }
    Check.that(
        count < ENDED_MAX,
        "namespaces",
        count,
        "that were deleted must be fewer than " + ENDED_MAX
            + ", because the server records their names, so that old data does not reappear",
        "Create one of them again instead of a new one.");
  }

  /** A page of deleted incarnations with leftovers. */
  List<Ended> ended() {
    return table
        .scan(Scan.prefix(Spaces.ENDED_NAMESPACES, ENDED.getBytes(StandardCharsets.UTF_8)))
        .entries()
        .stream()
        .flatMap(entry -> RecordTable.tryRead(entry, Ended.class).stream())
        .toList();
  }

  /** Removes the record of a deleted incarnation that has no leftovers. */
  void forget(Ended ended) {
    var unused = table.commit(Commit.when().delete(ended(ended)));
  }

  /** Reloads all namespaces, in case the watch has missed a change. */
  public void readAgain() {
    known.readAgain();
  }

  public void stop() {
    known.stop();
  }
}
