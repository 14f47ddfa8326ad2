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
 * The audit log: who changed what, when, and from where. Entries are written before the response is sent, never change, and are deleted after 90
 * days. Refused requests are recorded by {@link RefusalAudit}.
 *
 * <p>Threading: safe.
 */
public final class Audit {
  public static final Duration KEPT = Duration.ofDays(90);

  /** The namespace of entries that belong to no namespace: logins, and changes of namespaces themselves. */
  public static final String EVERYWHERE = "belfry.system";

  /** Maximum length of a target. A request with more targets writes several entries. */
  public static final int TARGET_CHARS_MAX = 4000;

  private static final int WRITTEN_AT_ONCE = 20;
  private static final int SWEPT_MAX = 100;
  private static final int SWEPT_PAGES_MAX = 100;

  /**
   * One change, or one refused request.
   *
   * @param who name and id of the token
   * @param action name of the route, or {@link RefusalAudit#ACTION}
   * @param target affected objects, such as job ids; may be empty
   * @param from client address
   * @param outcome HTTP status of the response
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

    /** A copy with another target. */
    public Entry about(String what) {
      return new Entry(at, who, role, action, what, from, node, outcome);
    }
  }

  /** A page of entries; {@code next} is the cursor of the next page. */
  public record Listing(List<Entry> entries, Optional<String> next) {}

  private final RecordTable table;
  private final Time time;
  private final SecureRandom random;
  private final AtomicInteger written = new AtomicInteger();

  public Audit(RecordTable table, Time time, SecureRandom random) {
    this.table = table;
    this.time = time;
    this.random = random;
  }

  /** Writes an entry. Of several entries within one millisecond, the one written last by this node is listed first. */
  public void write(String namespace, Entry entry) {
    write(namespace, List.of(entry));
  }

  /** Writes several entries in order. */
  public void write(String namespace, List<Entry> entries) {
    for (int from = 0; from < entries.size(); from += WRITTEN_AT_ONCE) {
      Commit.Builder commit = Commit.when();
      entries
          .subList(from, Math.min(entries.size(), from + WRITTEN_AT_ONCE))
          .forEach(entry -> commit.put(key(namespace, entry), RecordTable.bytes(entry)));
      var unused = table.commit(commit);
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

  /** Lists a page of entries, newest first. */
  public Listing list(String namespace, Optional<String> cursor, int limit) {
    Scan all = Scan.prefix(Spaces.AUDIT, prefix(namespace)).limit(limit);
    Scan scan = cursor
        .map(name -> {
          Check.that(
              name.startsWith(namespace + "/"),
              "cursor",
              name,
              "must be the value of next from the previous page",
              "Leave it out for the first page.");
          return all.after(Key.of(Spaces.AUDIT, name));
        })
        .orElse(all);
    Page page = table.scan(scan);
    Optional<String> next = page.next().isPresent() && !page.entries().isEmpty()
        ? Optional.of(page.entries().getLast().key().text())
        : Optional.empty();
    return new Listing(
        page.entries().stream()
            .flatMap(entry -> RecordTable.tryRead(entry, Entry.class).stream())
            .toList(),
        next);
  }

  private static byte[] prefix(String namespace) {
    return (namespace + "/").getBytes(StandardCharsets.UTF_8);
  }

  /** Deletes expired entries, up to a bounded number of pages. The oldest entries of a namespace sort last. */
  public void sweep(String namespace) {
    long oldest = time.wall().minus(KEPT).toEpochMilli();
    Key after = Key.of(Spaces.AUDIT, "%s/%016x".formatted(namespace, Long.MAX_VALUE - oldest));
    for (int pages = 0; pages < SWEPT_PAGES_MAX; pages++) {
      List<io.belfry.store.Entry> page = table
          .scan(Scan.prefix(Spaces.AUDIT, prefix(namespace)).limit(SWEPT_MAX).after(after))
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
      var unused = table.commit(commit);
    }
  }

  /** The scope of a namespace without an incarnation is a prefix of the scopes of later incarnations, so the key is checked. */
  private static boolean isOf(String namespace, String key) {
    return key.indexOf('/', namespace.length() + 1) == key.lastIndexOf('/');
  }
}
