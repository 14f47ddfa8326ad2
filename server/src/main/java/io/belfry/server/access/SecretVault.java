package io.belfry.server.access;

import io.belfry.executors.secret.Destination;
import io.belfry.executors.secret.Destinations;
import io.belfry.executors.secret.SecretValue;
import io.belfry.executors.secret.Secrets;
import io.belfry.model.Check;
import io.belfry.model.InvalidException;
import io.belfry.model.time.Time;
import io.belfry.server.access.SealedSecret.Place;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Stores the secrets of namespaces, encrypted with keys that are not in the store, each with its allowed destinations. Secrets are bound to the
 * {@linkplain NamespaceRecord#scope scope} of their namespace: a namespace that is created again does not see the secrets of its predecessor.
 *
 * <p>Threading: safe.
 */
public final class SecretVault {
  private static final int NAME_CHARS_MAX = 128;
  private static final int VALUE_CHARS_MAX = 65_536;
  private static final int CURSOR_CHARS_MAX = 300;
  private static final int RESEALED_MAX = 100;
  private static final int TRIES = 3;
  private static final int NAMED_MAX = 10;

  /** Maximum number of secrets of one namespace. */
  public static final int OF_NAMESPACE_MAX = 1000;

  /** Maximum stored size of all secrets of one namespace, in bytes. */
  static final long BYTES_OF_NAMESPACE_MAX = 8L << 20;

  private static final int PAGE = 100;

  /** The visible part of a secret. */
  public record SecretName(String name, Instant updated, String by, Destinations destinations) {}

  /**
   * The progress of a key rotation.
   *
   * @param key id of the key that encrypts now
   * @param resealed number of secrets that were re-encrypted
   * @param current number of secrets that were already encrypted with this key
   * @param unreadable secrets, as namespace/name, that no key of this node decrypts, or that were changed concurrently
   * @param next cursor for the next call; empty if all secrets were visited
   */
  public record Rotation(
      String key, int resealed, int current, List<String> unreadable, Optional<String> next) {}

  /**
   * Secrets stored by a version without destinations.
   *
   * @param names the first of them, as namespace/name
   */
  public record Unrestricted(long count, List<String> names) {}

  private enum Resealing {
    DONE,
    CURRENT,
    UNREADABLE
  }

  private final RecordTable table;
  private final SecretKeys keys;
  private final Time time;
  private final SecureRandom random;
  private final Map<String, LongAdder> refused = new ConcurrentHashMap<>();

  public SecretVault(RecordTable table, SecretKeys keys, Time time, SecureRandom random) {
    this.table = table;
    this.keys = keys;
    this.time = time;
    this.random = random;
  }

  public void put(String scope, String name, String value, Destinations destinations, String by) {
    Check.name("secret", name, NAME_CHARS_MAX);
    Check.text("value", value, VALUE_CHARS_MAX);
    var place = new Place(scope, name);
    SealedSecret sealed =
        SealedSecret.of(place, value, time.wall(), by, destinations.texts(), keys.first(), random);
    byte[] bytes = RecordTable.bytes(sealed);
    requireRoom(place, bytes.length);
    var unused = table.commit(Commit.when().put(at(place), bytes));
  }

  /** Refuses above the limits, so that one namespace cannot fill the shared engine. Concurrent puts may exceed the limits by their number. */
  private void requireRoom(Place place, int more) {
    int count = 1;
    long bytes = more;
    Optional<Scan> next = Optional.of(of(place.namespace()).limit(PAGE));
    while (next.isPresent() && count <= OF_NAMESPACE_MAX && bytes <= BYTES_OF_NAMESPACE_MAX) {
      Page page = table.scan(next.get());
      for (Entry entry : page.entries()) {
        boolean replaced = entry.key().equals(at(place));
        count += replaced ? 0 : 1;
        bytes += replaced ? 0 : entry.value().length;
      }
      next = page.next();
    }
    Check.that(
        count <= OF_NAMESPACE_MAX && bytes <= BYTES_OF_NAMESPACE_MAX,
        "secrets",
        new Check.Plain("more"),
        "of a namespace must be at most " + OF_NAMESPACE_MAX + ", and have at most "
            + (BYTES_OF_NAMESPACE_MAX >> 20)
            + " MiB together when they are encrypted, because all namespaces share the engine",
        "Delete unused ones.");
  }

  private static Scan of(String scope) {
    return Scan.prefix(Spaces.SECRETS, (scope + "/").getBytes(StandardCharsets.UTF_8));
  }

  private static Key at(Place place) {
    return Key.of(Spaces.SECRETS, place.toString());
  }

  private static Place place(Entry entry) {
    String name = new String(entry.key().name(), StandardCharsets.UTF_8);
    int slash =
        name.lastIndexOf('/'); // a scope may have one of its own, and a secret's name has none
    return new Place(name.substring(0, slash), name.substring(slash + 1));
  }

  /** Access to the secrets of a namespace for executors. */
  public Secrets of(NamespaceRecord namespace) {
    return new Secrets() {
      @Override
      public Optional<SecretValue> find(String name) {
        return SecretVault.this.find(new Place(namespace.scope(), name));
      }

      @Override
      public void refused(String name, Destination to) {
        refused.computeIfAbsent(namespace.name(), key -> new LongAdder()).increment();
      }
    };
  }

  private Optional<SecretValue> find(Place place) {
    return table
        .find(at(place), SealedSecret.class)
        .map(stored -> new SecretValue(stored.open(place, keys), stored.allowed()));
  }

  /** The number of attempts of a namespace that this node rejected because a secret is not allowed at their destination. */
  public long refused(String namespace) {
    LongAdder count = refused.get(namespace);
    return count == null ? 0 : count.sum();
  }

  /** Lists all secrets by name; unreadable ones are left out. */
  public List<SecretName> list(String scope) {
    var names = new ArrayList<SecretName>();
    Optional<Scan> next = Optional.of(of(scope).limit(PAGE));
    while (next.isPresent()) {
      Page page = table.scan(next.get());
      page.entries()
          .forEach(entry -> RecordTable.tryRead(entry, SealedSecret.class)
              .ifPresent(stored -> names.add(new SecretName(
                  place(entry).secret(), stored.updated(), stored.by(), stored.allowed()))));
      next = page.next();
    }
    return List.copyOf(names);
  }

  /** Deletes a secret; false if it did not exist. */
  public boolean delete(String scope, String name) {
    Check.name("secret", name, NAME_CHARS_MAX);
    Key key = at(new Place(scope, name));
    return table.find(key).isPresent() && table.commit(Commit.when().delete(key));
  }

  /**
   * Re-encrypts the next secrets of all namespaces with the first key, at most {@value #RESEALED_MAX}. Secrets that are already encrypted with it
   * stay unchanged, so the call can be repeated at any time.
   *
   * @param after cursor from the previous call; empty: start at the beginning
   */
  public Rotation rotate(Optional<String> after) {
    SecretKeys.One with = keys.first();
    Scan all = Scan.all(Spaces.SECRETS).limit(RESEALED_MAX);
    Page page = table.scan(after
        .map(
            last -> all.after(Key.of(Spaces.SECRETS, Check.text("cursor", last, CURSOR_CHARS_MAX))))
        .orElse(all));
    int resealed = 0;
    int current = 0;
    var unreadable = new ArrayList<String>();
    for (Entry entry : page.entries()) {
      switch (reseal(entry, with)) {
        case DONE -> resealed++;
        case CURRENT -> current++;
        case UNREADABLE -> unreadable.add(place(entry).toString());
      }
    }
    Optional<String> next =
        page.next().map(rest -> place(page.entries().getLast()).toString());
    return new Rotation(with.id(), resealed, current, List.copyOf(unreadable), next);
  }

  /** Re-encrypts one secret. If it was changed concurrently it is read again, because the change may have used an older key. */
  private Resealing reseal(Entry first, SecretKeys.One with) {
    Optional<Entry> entry = Optional.of(first);
    for (int i = 0; i < TRIES && entry.isPresent(); i++) {
      Optional<SealedSecret> stored = RecordTable.tryRead(entry.get(), SealedSecret.class);
      if (stored.isEmpty()) {
        return Resealing.UNREADABLE;
      }
      if (with.id().equals(stored.get().key())) {
        return Resealing.CURRENT;
      }
      if (resealed(entry.get(), stored.get(), with)) {
        return Resealing.DONE;
      }
      entry = table.find(first.key());
    }
    return entry.isEmpty() ? Resealing.CURRENT : Resealing.UNREADABLE;
  }

  private boolean resealed(Entry entry, SealedSecret old, SecretKeys.One with) {
    Place place = place(entry);
    try {
      SealedSecret anew = SealedSecret.of(
          place, old.open(place, keys), old.updated(), old.by(), old.destinations(), with, random);
      return table.commit(Commit.when().unchanged(entry).put(entry.key(), RecordTable.bytes(anew)));
    } catch (InvalidException e) {
      return false;
    }
  }

  /** Finds secrets without destinations, page by page. */
  public Unrestricted withoutDestinations() {
    long count = 0;
    var names = new ArrayList<String>();
    Optional<Scan> next = Optional.of(Scan.all(Spaces.SECRETS));
    while (next.isPresent()) {
      Page page = table.scan(next.get());
      for (Entry entry : page.entries()) {
        boolean old = RecordTable.tryRead(entry, SealedSecret.class)
            .filter(stored -> stored.destinations() == null)
            .isPresent();
        count += old ? 1 : 0;
        if (old && names.size() < NAMED_MAX) {
          names.add(place(entry).toString());
        }
      }
      next = page.next();
    }
    return new Unrestricted(count, List.copyOf(names));
  }
}
