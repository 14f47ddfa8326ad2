package io.belfry.server.access;

import io.belfry.model.Check;
import io.belfry.model.time.Time;
import io.belfry.store.Commit;
import io.belfry.store.Key;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Who changed what, when, and from where: written before the answer, never changed, forgotten after 90 days. Also who was refused, see
 * {@link Refusals}.
 *
 * <p>Threading: safe.
 */
public final class Audit {
  public static final Duration KEPT = Duration.ofDays(90);

  /** Stands for the namespace of changes that belong to none: logins, and namespaces themselves. */
  public static final String EVERYWHERE = "belfry.system";

  /** Of what an entry is about; whoever has more to say of a request writes several entries. */
  public static final int TARGET_CHARS_MAX = 4000;

  private static final int WRITTEN_AT_ONCE = 20;
  private static final int SWEPT_MAX = 100;
  private static final int SWEPT_PAGES_MAX = 100;

  /**
   * One change, or an attempt at something that was refused.
   *
   * @param who the token's name and id
   * @param action the route's name, or {@link Refusals#ACTION}
   * @param target what it was about, such as the ids of jobs; may be empty
   * @param from the address that it came from
   * @param outcome the status of the answer
   */
  public record Entry(
      Instant at,
      String who,
      String role,
      String action,
      String target,
      String from,
      String node,
      int outcome) {
    public Entry {
      target = Check.clip(target, TARGET_CHARS_MAX);
    }

    /** The same about something else. */
    public Entry about(String what) {
      return new Entry(at, who, role, action, what, from, node, outcome);
    }
  }

  /** A page of them; {@code next} is where to go on. */
  public record Listing(List<Entry> entries, Optional<String> next) {}

  private final Desk desk;
  private final Time time;
  private final SecureRandom random;
  private final AtomicInteger written = new AtomicInteger();

  public Audit(Desk desk, Time time, SecureRandom random) {
    this.desk = desk;
    this.time = time;
    this.random = random;
  }

  /** Writes it; of entries of one millisecond, the last that this node wrote is listed first. */
  public void write(String namespace, Entry entry) {
    write(namespace, List.of(entry));
  }

  /** Writes several in their order, such as all that there is to say of one request. */
  public void write(String namespace, List<Entry> entries) {
    for (int from = 0; from < entries.size(); from += WRITTEN_AT_ONCE) {
      Commit.Builder commit = Commit.when();
      entries
          .subList(from, Math.min(entries.size(), from + WRITTEN_AT_ONCE))
          .forEach(entry -> commit.put(key(namespace, entry), Desk.bytes(entry)));
      var unused = desk.commit(commit);
    }
  }

  private Key key(String namespace, Entry entry) {
    return Key.of(
        Spaces.AUDIT,
        "%s/%016x/%08x%s"
            .formatted(
                namespace,
                Long.MAX_VALUE - entry.at().toEpochMilli(),
                ~written.getAndIncrement(),
                Secret.id(random)));
  }

  /** The newest first. */
  public Listing list(String namespace, Optional<String> cursor, int limit) {
    Scan all = Scan.prefix(Spaces.AUDIT, prefix(namespace)).limit(limit);
    Scan scan = cursor
        .map(name -> {
          Check.that(
              name.startsWith(namespace + "/"),
              "cursor",
              name,
              "must be the next of a page before",
              "Leave it out for the first page.");
          return all.after(Key.of(Spaces.AUDIT, name));
        })
        .orElse(all);
    Page page = desk.scan(scan);
    Optional<String> next = page.next().isPresent() && !page.entries().isEmpty()
        ? Optional.of(page.entries().getLast().key().text())
        : Optional.empty();
    return new Listing(
        page.entries().stream()
            .flatMap(entry -> Desk.legible(entry, Entry.class).stream())
            .toList(),
        next);
  }

  private static byte[] prefix(String namespace) {
    return (namespace + "/").getBytes(StandardCharsets.UTF_8);
  }

  /** Forgets what is too old, as far as a bounded number of pages takes it; the oldest of a namespace stand last. */
  public void sweep(String namespace) {
    long oldest = time.wall().minus(KEPT).toEpochMilli();
    Key after = Key.of(Spaces.AUDIT, "%s/%016x".formatted(namespace, Long.MAX_VALUE - oldest));
    for (int pages = 0; pages < SWEPT_PAGES_MAX; pages++) {
      List<io.belfry.store.Entry> page = desk.scan(
              Scan.prefix(Spaces.AUDIT, prefix(namespace)).limit(SWEPT_MAX).after(after))
          .entries();
      deleteThose(namespace, page);
      if (page.size() < SWEPT_MAX) {
        return;
      }
      after = page.getLast().key();
    }
  }

  private void deleteThose(String namespace, List<io.belfry.store.Entry> page) {
    List<Key> old = page.stream()
        .map(io.belfry.store.Entry::key)
        .filter(key -> isOf(namespace, key.text()))
        .toList();
    if (!old.isEmpty()) {
      Commit.Builder commit = Commit.when();
      old.forEach(commit::delete);
      var unused = desk.commit(commit);
    }
  }

  /** A namespace without an incarnation has a scope with which those of later namespaces of its name begin. */
  private static boolean isOf(String namespace, String key) {
    return key.indexOf('/', namespace.length() + 1) == key.lastIndexOf('/');
  }
}
