package io.belfry.server.access;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.belfry.model.time.Time;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Sessions of the web interface, and login links. They are stored by token and hash, so that every node can verify them; each node caches lookups
 * for {@link #REMEMBERED}. A session ends with its token. Cookies that the cluster did not sign are refused without a lookup.
 *
 * <p>Threading: safe.
 */
public final class Sessions {
  /** Maximum sessions of one token; a further one ends the oldest. */
  public static final int OF_TOKEN_MAX = 20;

  /** Maximum unused login links of one token; a further one invalidates the oldest. */
  public static final int LINKS_OF_TOKEN_MAX = 10;

  /** How long another node may still accept an ended session. */
  public static final Duration REMEMBERED = Duration.ofMillis(1500);

  private static final Duration MISSING_REMEMBERED = Duration.ofSeconds(1);
  private static final Duration LIFE = Duration.ofHours(12);
  private static final Duration LINK_LIFE = Duration.ofMinutes(10);
  /** A watch that lags this much is broken. Sessions with an unknown token are not swept earlier. */
  private static final Duration FEED_LATE_MAX = Duration.ofMinutes(10);

  private static final int REMEMBERED_MAX = 10_000;
  private static final int DELETED_AT_ONCE = 100;
  private static final String SESSION = "s/";
  private static final String LINK = "l/";

  /**
   * A new session.
   *
   * @param cookie session cookie
   * @param csrf CSRF token that the page sends with every change
   */
  public record Begun(String cookie, String csrf, Principal principal, Instant expires) {}

  /** The session of a request. */
  public record Current(Principal principal, String csrf, Instant expires) {}

  private record Kept(Principal principal, String csrf, Instant expires) {
    @JsonIgnore
    boolean isOver(Instant now) {
      return !now.isBefore(expires);
    }
  }

  private record Remembered(Optional<Kept> kept, long until) {}

  private record Found(Key key, Kept kept) {}

  private final RecordTable table;
  private final Tokens tokens;
  private final Time time;
  private final SecureRandom random;
  private final Signatures signatures;
  private final Map<String, Remembered> remembered = new ConcurrentHashMap<>();

  public Sessions(RecordTable table, Tokens tokens, Time time, SecureRandom random) {
    this.table = table;
    this.tokens = tokens;
    this.time = time;
    this.random = random;
    this.signatures = new Signatures(table, random);
  }

  /** Loads the key that signs cookies, or creates it. */
  public void start() {
    signatures.load();
  }

  /** Starts a session with a new cookie. */
  public Begun begin(Principal principal) {
    String cookie = signatures.make(SESSION, principal.id());
    String csrf = Secret.make("", random);
    var kept = new Kept(principal, csrf, time.wall().plus(LIFE));
    put(SESSION, cookie, kept);
    trim(SESSION, principal.id(), OF_TOKEN_MAX);
    return new Begun(cookie, csrf, principal, kept.expires());
  }

  /** Creates a login link code, which starts a session once. */
  public String link(Principal principal) {
    String code = signatures.make(LINK, principal.id());
    put(LINK, code, new Kept(principal, "", time.wall().plus(LINK_LIFE)));
    trim(LINK, principal.id(), LINKS_OF_TOKEN_MAX);
    return code;
  }

  public Instant linkExpires() {
    return time.wall().plus(LINK_LIFE);
  }

  private void put(String kind, String signed, Kept kept) {
    Key key = key(kind, signed).orElseThrow();
    if (!table.commit(Commit.when().absent(key).put(key, RecordTable.bytes(kept)))) {
      throw new IllegalStateException("two random tokens cannot be equal");
    }
  }

  /** The key of the record; empty if this cluster did not sign the text. */
  private Optional<Key> key(String kind, String signed) {
    return signatures
        .open(kind, signed)
        .map(opened ->
            Key.of(Spaces.SESSIONS, kind + opened.token() + "/" + Secret.hash(opened.secret())));
  }

  /** Ends the oldest ones of a token above the limit. */
  private void trim(String kind, String token, int most) {
    byte[] prefix = (kind + token + "/").getBytes(StandardCharsets.UTF_8);
    List<Found> all = table.scan(Scan.prefix(Spaces.SESSIONS, prefix)).entries().stream()
        .flatMap(entry ->
            RecordTable.tryRead(entry, Kept.class)
                .map(kept -> new Found(entry.key(), kept))
                .stream())
        .sorted(Comparator.comparing((Found found) -> found.kept.expires()).reversed())
        .toList();
    delete(all.stream().skip(most).map(Found::key).toList());
  }

  /** The principal that a link would log in as; the link stays valid. */
  public Optional<Principal> peek(String code) {
    return key(LINK, code).flatMap(this::look).flatMap(this::holder);
  }

  /** The current principal of its token; empty if it has expired. */
  private Optional<Principal> holder(Kept kept) {
    return kept.isOver(time.wall())
        ? Optional.empty()
        : tokens.holder(kept.principal().id());
  }

  /** Redeems the code of a link; empty if it was used before, has expired, or is unknown. */
  public Optional<Begun> redeem(String code) {
    Optional<Entry> entry = key(LINK, code).flatMap(table::find);
    if (entry.isEmpty()
        || !table.commit(Commit.when().unchanged(entry.get()).delete(entry.get().key()))) {
      return Optional.empty();
    }
    return Optional.of(RecordTable.read(entry.get().value(), Kept.class))
        .flatMap(this::holder)
        .map(this::begin);
  }

  /** The session of this cookie; empty if it does not exist or has ended. */
  public Optional<Current> verify(String cookie) {
    return key(SESSION, cookie)
        .flatMap(this::look)
        .flatMap(kept ->
            holder(kept).map(principal -> new Current(principal, kept.csrf(), kept.expires())));
  }

  private Optional<Kept> look(Key key) {
    @Nullable Remembered known = remembered.get(key.text());
    if (known != null && known.until - time.nanos() > 0) {
      return known.kept;
    }
    long asked = time.nanos();
    Optional<Kept> found = table.find(key, Kept.class);
    if (remembered.size() >= REMEMBERED_MAX) {
      remembered.clear(); // only a cache
    }
    Duration length = found.isPresent() ? REMEMBERED : MISSING_REMEMBERED;
    remembered.put(key.text(), new Remembered(found, asked + length.toNanos()));
    return found;
  }

  /** Ends the session; other nodes may still accept it for {@link #REMEMBERED}. */
  public void end(String cookie) {
    key(SESSION, cookie).ifPresent(key -> {
      var unused = table.commit(Commit.when().delete(key));
      remembered.put(
          key.text(), new Remembered(Optional.empty(), time.nanos() + REMEMBERED.toNanos()));
    });
  }

  /** Deletes expired sessions and those of revoked tokens, page by page; returns how many. */
  public int sweep(Instant now) {
    int swept = 0;
    Predicate<Kept> over = kept -> kept.isOver(now)
        || (tokens.find(kept.principal().id()).isEmpty()
            && kept.isOver(now.plus(LIFE).minus(FEED_LATE_MAX)));
    Optional<Scan> next = Optional.of(Scan.all(Spaces.SESSIONS));
    while (next.isPresent()) {
      Page page = table.scan(next.get());
      List<Key> keys = page.entries().stream()
          .filter(entry -> RecordTable.tryRead(entry, Kept.class).filter(over).isPresent())
          .map(Entry::key)
          .toList();
      swept += delete(keys);
      next = page.next();
    }
    return swept;
  }

  private int delete(List<Key> keys) {
    int deleted = 0;
    for (int from = 0; from < keys.size(); from += DELETED_AT_ONCE) {
      var some = new ArrayList<>(keys.subList(from, Math.min(keys.size(), from + DELETED_AT_ONCE)));
      Commit.Builder commit = Commit.when();
      some.forEach(commit::delete);
      deleted += table.commit(commit) ? some.size() : 0;
    }
    return deleted;
  }
}
