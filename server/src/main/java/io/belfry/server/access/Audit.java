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

  private static final int TARGET_CHARS_MAX = 4000;
  private static final int SWEPT_MAX = 100;
  private static final int COMMITS_MAX = 100;

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
  }

  /** A page of them; {@code next} is where to go on. */
  public record Listing(List<Entry> entries, Optional<String> next) {}

  private final Desk desk;
  private final Time time;
  private final SecureRandom random;

  public Audit(Desk desk, Time time, SecureRandom random) {
    this.desk = desk;
    this.time = time;
    this.random = random;
  }

  public void write(String namespace, Entry entry) {
    Key key = Key.of(
        Spaces.AUDIT,
        "%s/%016x/%s"
            .formatted(namespace, Long.MAX_VALUE - entry.at().toEpochMilli(), Secret.id(random)));
    var unused = desk.commit(Commit.when().put(key, Desk.bytes(entry)));
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

  /** Forgets what is too old, as far as a bounded number of commits takes it; the oldest of a namespace stand last. */
  public void sweep(String namespace) {
    int commits = 0;
    while (commits < COMMITS_MAX && sweepSome(namespace) == SWEPT_MAX) {
      commits++;
    }
  }

  private int sweepSome(String namespace) {
    long oldest = time.wall().minus(KEPT).toEpochMilli();
    Key from = Key.of(Spaces.AUDIT, "%s/%016x".formatted(namespace, Long.MAX_VALUE - oldest));
    List<io.belfry.store.Entry> old = desk.scan(
            Scan.prefix(Spaces.AUDIT, prefix(namespace)).limit(SWEPT_MAX).after(from))
        .entries();
    if (old.isEmpty()) {
      return 0;
    }
    Commit.Builder commit = Commit.when();
    old.forEach(entry -> commit.delete(entry.key()));
    return desk.commit(commit) ? old.size() : 0;
  }
}
