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
 * Which namespaces there are. Each creation of a name is an incarnation of its own: what belonged to an earlier one is not known under the
 * name any more.
 *
 * <pre>
 *   create: namespace absent ──▶ record (incarnation, store)
 *   delete: namespace unchanged ──▶ record of its end, so that a later start sweeps what it left
 * </pre>
 *
 * <p>Threading: safe.
 */
public final class NamespaceBook {
  private static final int NAMESPACES_MAX = 1000;
  private static final int ENDED_MAX = 10_000;
  private static final int TRIES_MAX = 10;
  private static final String USED = "n/";
  private static final String ENDED = "i/";

  /** How names of stores begin that are not the name of their namespace: no namespace can be called so. */
  public static final String STORES = io.belfry.library.Stores.RECREATED;

  /** An incarnation that was deleted; what it left is swept. */
  public record Ended(String name, Optional<String> incarnation, String store, Instant ended) {
    String scope() {
      return NamespaceRecord.scope(name, incarnation);
    }
  }

  private final Desk desk;
  private final Time time;
  private final SecureRandom random;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private final FollowedRecords<NamespaceRecord> known;

  public NamespaceBook(Desk desk, Loop loop, Time time, SecureRandom random) {
    this.desk = desk;
    this.time = time;
    this.random = random;
    this.known = new FollowedRecords<>(
        desk,
        loop,
        Spaces.NAMESPACES,
        NamespaceRecord.class,
        NamespaceRecord::scope,
        () -> listeners.forEach(Runnable::run));
  }

  /** Completes once the namespaces of the store are known. */
  public CompletableFuture<Void> loaded() {
    return known.loaded();
  }

  /** Calls it on the loop after each change. */
  public void onChange(Runnable listener) {
    listeners.add(listener);
  }

  static Key key(String name) {
    return Key.of(Spaces.NAMESPACES, name);
  }

  private static Key used(String name) {
    return Key.of(Spaces.ENDED_NAMESPACES, USED + name);
  }

  /** The namespace of that name, from memory. */
  public Optional<NamespaceRecord> current(String name) {
    return known.find(name);
  }

  /** All of them, from memory. */
  public List<NamespaceRecord> current() {
    return known.current();
  }

  /** The namespace of that {@linkplain NamespaceRecord#scope scope}, from memory: this one, and no later one of its name. */
  public Optional<NamespaceRecord> currentOf(String scope) {
    return known.findById(scope);
  }

  /** Whether the namespace of that {@linkplain NamespaceRecord#scope scope} exists, from memory. */
  public boolean isCurrent(String scope) {
    return currentOf(scope).isPresent();
  }

  /** Creates one; empty if the name is taken. */
  public Optional<NamespaceRecord> create(String name, String description) {
    int count = list().size();
    Check.that(
        count < NAMESPACES_MAX,
        "namespaces",
        count,
        "must be fewer than " + NAMESPACES_MAX + ", because every node opens all of them",
        "Delete some that nobody uses.");
    for (int tried = 0; tried < TRIES_MAX && find(name).isEmpty(); tried++) {
      String incarnation = Secret.id(random);
      boolean fresh = desk.find(used(name)).isPresent() || hasLeftovers(name);
      var record = new NamespaceRecord(
          name,
          description,
          time.wall(),
          Optional.of(incarnation),
          fresh ? Optional.of(STORES + incarnation) : Optional.empty());
      Commit.Builder commit = Commit.when().absent(key(name)).put(key(name), Desk.bytes(record));
      if (known.write(key(name), fresh ? commit : commit.absent(used(name)))) {
        return Optional.of(record);
      }
    }
    return Optional.empty();
  }

  /** Whether secrets of that name are left from a namespace that was deleted before incarnations were kept. */
  private boolean hasLeftovers(String name) {
    byte[] prefix = (name + "/").getBytes(StandardCharsets.UTF_8);
    return !desk.scan(Scan.prefix(Spaces.SECRETS, prefix).limit(1)).entries().isEmpty();
  }

  public Optional<NamespaceRecord> find(String name) {
    return entry(name).map(entry -> Desk.read(entry.value(), NamespaceRecord.class));
  }

  /** As it lies in the store, for those who guard by it. */
  Optional<Entry> entry(String name) {
    return desk.find(key(name));
  }

  /** All of them, by name. */
  public List<NamespaceRecord> list() {
    return desk.scan(Scan.all(Spaces.NAMESPACES)).entries().stream()
        .flatMap(entry -> Desk.legible(entry, NamespaceRecord.class).stream())
        .toList();
  }

  /** As it lies in the store: this one, and no later one of its name. */
  private Optional<Entry> entry(NamespaceRecord namespace) {
    return entry(namespace.name())
        .filter(entry ->
            Desk.read(entry.value(), NamespaceRecord.class).scope().equals(namespace.scope()));
  }

  /**
   * Deletes this namespace with all that belongs to it, and no later one of its name, whatever this node has heard of. From here on its
   * tokens are refused. Its Belfry has ended before, so that nothing is lost.
   *
   * @return false if it did not exist any more
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
        .put(ended(ended), Desk.bytes(ended));
    if (isStoreOfName(namespace)) {
      requireRoom();
      commit.put(used(name), Desk.bytes(ended));
    }
    if (!desk.commit(commit)) {
      return false;
    }
    known.hide(namespace);
    return true;
  }

  private static boolean isStoreOfName(NamespaceRecord namespace) {
    return namespace.storeName().equals(namespace.name());
  }

  /**
   * Refuses to delete one whose name could not be remembered; to be asked before its Belfry is ended.
   *
   * @throws io.belfry.model.InvalidException if too many names are remembered
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
      var page = desk.scan(next.get());
      count += page.entries().size();
      next = page.next();
    }
    Check.that(
        count < ENDED_MAX,
        "namespaces",
        count,
        "that were deleted must be fewer than " + ENDED_MAX
            + ", because the server remembers their names, so that their data does not come back",
        "Create one of them again instead of a new one.");
  }

  /** Incarnations that were deleted and not forgotten yet, a page of them. */
  List<Ended> ended() {
    return desk
        .scan(Scan.prefix(Spaces.ENDED_NAMESPACES, ENDED.getBytes(StandardCharsets.UTF_8)))
        .entries()
        .stream()
        .flatMap(entry -> Desk.legible(entry, Ended.class).stream())
        .toList();
  }

  /** Forgets an incarnation of which nothing is left that must be swept. */
  void forget(Ended ended) {
    var unused = desk.commit(Commit.when().delete(ended(ended)));
  }

  /** Reads all of them again, in case the feed of the store has lost a change. */
  public void readAgain() {
    known.readAgain();
  }

  public void stop() {
    known.stop();
  }
}
