package io.belfry.server.access;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.belfry.model.time.Time;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Sessions of the web interface, and links that begin one. They lie in the store by their hashes, so that any node knows them; each node
 * remembers for a few seconds what it has looked up. A session ends with its token.
 *
 * <p>Threading: safe.
 */
public final class Sessions {
  private static final Duration LIFE = Duration.ofHours(12);
  private static final Duration LINK_LIFE = Duration.ofMinutes(10);
  private static final Duration REMEMBERED = Duration.ofSeconds(5);
  private static final int REMEMBERED_MAX = 10_000;
  private static final int CHARS_MAX = 200;
  private static final String SESSION = "s/";
  private static final String LINK = "l/";

  /**
   * A session that has begun.
   *
   * @param cookie what the browser keeps
   * @param csrf what its page sends along with every change
   */
  public record Begun(String cookie, String csrf, Principal principal, Instant expires) {}

  /** A session of a request. */
  public record Current(Principal principal, String csrf, Instant expires) {}

  private record Kept(Principal principal, String csrf, Instant expires) {
    @JsonIgnore
    boolean isOver(Instant now) {
      return !now.isBefore(expires);
    }
  }

  private record Remembered(Kept kept, long until) {}

  private final Desk desk;
  private final Tokens tokens;
  private final Time time;
  private final SecureRandom random;
  private final Map<String, Remembered> remembered = new ConcurrentHashMap<>();

  public Sessions(Desk desk, Tokens tokens, Time time, SecureRandom random) {
    this.desk = desk;
    this.tokens = tokens;
    this.time = time;
    this.random = random;
  }

  public Begun begin(Principal principal) {
    String cookie = Secret.make("", random);
    String csrf = Secret.make("", random);
    var kept = new Kept(principal, csrf, time.wall().plus(LIFE));
    put(SESSION, cookie, kept);
    return new Begun(cookie, csrf, principal, kept.expires());
  }

  /** A code that begins a session with these rights, once. */
  public String link(Principal principal) {
    String code = Secret.make("", random);
    put(LINK, code, new Kept(principal, "", time.wall().plus(LINK_LIFE)));
    return code;
  }

  public Instant linkExpires() {
    return time.wall().plus(LINK_LIFE);
  }

  private void put(String kind, String secret, Kept kept) {
    Key key = key(kind, secret);
    if (!desk.commit(Commit.when().absent(key).put(key, Desk.bytes(kept)))) {
      throw new IllegalStateException("two random words cannot be the same");
    }
  }

  private static Key key(String kind, String secret) {
    return Key.of(Spaces.SESSIONS, kind + Secret.hash(secret));
  }

  /** Uses up the code of a link; empty if it was used before, is over, or never was. */
  public Optional<Begun> redeem(String code) {
    if (code.isEmpty() || code.length() > CHARS_MAX) {
      return Optional.empty();
    }
    Optional<Entry> entry = desk.find(key(LINK, code));
    if (entry.isEmpty()
        || !desk.commit(Commit.when().unchanged(entry.get()).delete(entry.get().key()))) {
      return Optional.empty();
    }
    Kept kept = Desk.read(entry.get().value(), Kept.class);
    return kept.isOver(time.wall()) || !tokens.isGood(kept.principal().id())
        ? Optional.empty()
        : Optional.of(begin(kept.principal()));
  }

  /** The session of this cookie; empty if there is none, or not any more. */
  public Optional<Current> verify(String cookie) {
    if (cookie.isEmpty() || cookie.length() > CHARS_MAX) {
      return Optional.empty();
    }
    return look(key(SESSION, cookie))
        .filter(
            kept -> !kept.isOver(time.wall()) && tokens.isGood(kept.principal().id()))
        .map(kept -> new Current(kept.principal(), kept.csrf(), kept.expires()));
  }

  private Optional<Kept> look(Key key) {
    @Nullable Remembered known = remembered.get(key.text());
    if (known != null && known.until - time.nanos() > 0) {
      return Optional.of(known.kept);
    }
    Optional<Kept> found = desk.find(key, Kept.class);
    if (remembered.size() >= REMEMBERED_MAX) {
      remembered.clear(); // they are looked up again
    }
    found.ifPresentOrElse(
        kept ->
            remembered.put(key.text(), new Remembered(kept, time.nanos() + REMEMBERED.toNanos())),
        () -> remembered.remove(key.text()));
    return found;
  }

  /** Ends the session; other nodes may accept it for a few seconds more. */
  public void end(String cookie) {
    Key key = key(SESSION, cookie);
    remembered.remove(key.text());
    var unused = desk.commit(Commit.when().delete(key));
  }

  /** Forgets what is over, a page at a time. */
  public int sweep(Instant now) {
    int swept = 0;
    Optional<Scan> next = Optional.of(Scan.all(Spaces.SESSIONS));
    while (next.isPresent()) {
      Page page = desk.scan(next.get());
      List<Entry> over = new ArrayList<>();
      page.entries().stream()
          .filter(entry ->
              Desk.legible(entry, Kept.class).filter(kept -> kept.isOver(now)).isPresent())
          .limit(50)
          .forEach(over::add);
      if (!over.isEmpty()) {
        Commit.Builder commit = Commit.when();
        over.forEach(entry -> commit.delete(entry.key()));
        swept += desk.commit(commit) ? over.size() : 0;
      }
      next = page.next();
    }
    return swept;
  }
}
