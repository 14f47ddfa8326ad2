package io.belfry.server.access;

import io.belfry.core.follow.Follower;
import io.belfry.core.loop.Loop;
import io.belfry.model.Check;
import io.belfry.model.time.Time;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.StoreException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Who may do what. All tokens are kept in memory, by their hashes, and followed in the store: a request costs no round trip, and a token
 * that was revoked on one node is refused by the others a moment later.
 *
 * <p>Threading: safe.
 */
public final class Tokens {
  /** With what every token begins. */
  public static final String PREFIX = "bft_";

  private static final int TOKENS_MAX = 10_000;
  private static final int CHARS_MAX = 200;
  private static final Duration LONGEST = Duration.ofDays(3660);

  /** A token as it is shown, once. */
  public record Made(String token, TokenRecord record) {}

  private final Desk desk;
  private final Time time;
  private final SecureRandom random;
  private final Follower follower;
  private final CompletableFuture<Void> loaded = new CompletableFuture<>();
  /** Made here, and not heard of by the store's feed yet. */
  private final Map<String, TokenRecord> fresh = new ConcurrentHashMap<>();
  /** By the ids of tokens, for those who know no more of one. */
  private final Map<String, String> hashes = new ConcurrentHashMap<>();
  /** Revoked here; what the feed still says of them is old. */
  private final Set<String> revoked = ConcurrentHashMap.newKeySet();

  private volatile Map<String, TokenRecord> stored = Map.of();

  public Tokens(Desk desk, Loop loop, Time time, SecureRandom random) {
    this.desk = desk;
    this.time = time;
    this.random = random;
    this.follower = new Follower(loop, desk.store(), Spaces.TOKENS, new Known());
    loop.post(follower::start);
  }

  /** Completes once the tokens of the store are known. */
  public CompletableFuture<Void> loaded() {
    return loaded;
  }

  /** Who has this token; empty if nobody, or not any more. */
  public Optional<Principal> verify(String token) {
    if (!isToken(token)) {
      return Optional.empty();
    }
    return known(Secret.hash(token)).map(TokenRecord::principal);
  }

  /** Whose token this was, if it was good once and has run out. */
  public Optional<Principal> lapsed(String token) {
    return isToken(token) ? kept(Secret.hash(token)).map(TokenRecord::principal) : Optional.empty();
  }

  /** Whether it looks like one at all: others are not even looked up. */
  public static boolean isToken(String text) {
    return text.length() <= CHARS_MAX && text.startsWith(PREFIX);
  }

  /** Every token that is not revoked, by its hash. */
  private Map<String, TokenRecord> all() {
    var all = new HashMap<>(fresh);
    all.putAll(stored);
    all.keySet().removeAll(revoked);
    return all;
  }

  /** Whether the token of that id is still good. */
  public boolean isGood(String id) {
    return Optional.ofNullable(hashes.get(id)).flatMap(this::known).isPresent();
  }

  /** The token of that hash, unless it is not good any more. */
  private Optional<TokenRecord> known(String hash) {
    return kept(hash).filter(record -> !record.isOver(time.wall()));
  }

  /** The token of that hash, unless it was revoked. */
  private Optional<TokenRecord> kept(String hash) {
    @Nullable TokenRecord found = stored.get(hash);
    return Optional.ofNullable(found == null ? fresh.get(hash) : found)
        .filter(record -> !revoked.contains(hash));
  }

  /** Makes a token. */
  public Made create(
      String name, Role role, Optional<String> namespace, Optional<Duration> life, String by) {
    life.ifPresent(length -> Check.between(
        "expiresIn",
        length,
        Duration.ofSeconds(1),
        LONGEST,
        "a token that is never good helps nobody"));
    Check.that(
        name.chars().noneMatch(Character::isISOControl),
        "name",
        new Check.Plain("a text with line breaks or the like"),
        "must be one line that can be printed, because it stands in the audit log",
        "Leave them out.");
    int count = all().size();
    Check.that(
        count < TOKENS_MAX,
        "tokens",
        count,
        "must be fewer than " + TOKENS_MAX + ", because every node keeps them in memory",
        "Revoke some that nobody uses.");
    String token = Secret.make(PREFIX, random);
    TokenRecord record = record(name, role, namespace, life, by);
    Key key = key(token);
    if (!desk.commit(Commit.when().absent(key).put(key, Desk.bytes(record)))) {
      throw new IllegalStateException("two random tokens cannot be the same");
    }
    remember(key, record);
    return new Made(token, record);
  }

  private TokenRecord record(
      String name, Role role, Optional<String> namespace, Optional<Duration> life, String by) {
    Instant now = time.wall();
    return new TokenRecord(Secret.id(random), name, role, namespace, now, life.map(now::plus), by);
  }

  static Key key(String token) {
    return Key.of(Spaces.TOKENS, Secret.hash(token));
  }

  /**
   * Puts the first admin of all namespaces in, if none was there before.
   *
   * @return false if another node was first
   */
  public boolean begin(String token, String node) {
    Key first = Key.of(Spaces.BEGINNING, "admin");
    TokenRecord record = record("admin", Role.ADMIN, Optional.empty(), Optional.empty(), node);
    boolean won = desk.commit(Commit.when()
        .absent(first)
        .put(first, Desk.bytes(node))
        .put(key(token), Desk.bytes(record)));
    if (won) {
      remember(key(token), record);
    }
    return won;
  }

  /** The node that put the first admin in; empty if none did. */
  public Optional<String> begunBy() {
    return desk.find(Key.of(Spaces.BEGINNING, "admin"), String.class);
  }

  /** Lets this token be an admin of all namespaces, whatever was before: whoever writes the configuration decides. */
  public void appoint(String token, String node) {
    Key key = key(token);
    if (desk.find(key).isPresent()) {
      return;
    }
    TokenRecord record = record("admin", Role.ADMIN, Optional.empty(), Optional.empty(), node);
    Key first = Key.of(Spaces.BEGINNING, "admin");
    var unused = desk.commit(Commit.when().absent(first).put(first, Desk.bytes(node)));
    if (desk.commit(Commit.when().absent(key).put(key, Desk.bytes(record)))) {
      remember(key, record);
    }
  }

  private void remember(Key key, TokenRecord record) {
    fresh.put(key.text(), record);
    hashes.put(record.id(), key.text());
  }

  /** A new one to begin with. */
  public String random() {
    return Secret.make(PREFIX, random);
  }

  /** The tokens that may do something in the namespace, by name. */
  public List<TokenRecord> list(String namespace) {
    return all().values().stream()
        .filter(found -> found.principal().maySee(namespace))
        .sorted(Comparator.comparing(TokenRecord::name).thenComparing(TokenRecord::id))
        .toList();
  }

  public Optional<TokenRecord> find(String id) {
    return all().values().stream().filter(found -> found.id().equals(id)).findFirst();
  }

  /**
   * Revokes the token of that id. It is refused here once the store has said so; until then, and if the store says no, it goes on.
   *
   * @return false if there is none
   * @throws StoreException nothing has changed; or, if it is not known whether it has, an {@code Unknown} that says so
   */
  public boolean revoke(String id) {
    Optional<String> hash = all().entrySet().stream()
        .filter(each -> each.getValue().id().equals(id))
        .map(Map.Entry::getKey)
        .findFirst();
    hash.ifPresent(found -> {
      delete(id, found);
      if (revoked.size() >= TOKENS_MAX) {
        revoked.clear(); // so many that the feed has long told of all but the last
      }
      revoked.add(found);
    });
    return hash.isPresent();
  }

  private void delete(String id, String hash) {
    try {
      var unused = desk.commit(Commit.when().delete(Key.of(Spaces.TOKENS, hash)));
    } catch (StoreException.Unknown e) {
      throw new StoreException.Unknown(
          "It is not known whether token " + id
              + " is revoked, because the store did not answer: it may still be good. List the tokens, and revoke it again if it is there.",
          e);
    }
  }

  /** How many admins of all namespaces there are that do not expire. */
  public long keyHolders() {
    return all().values().stream()
        .filter(found -> found.role() == Role.ADMIN
            && found.namespace().isEmpty()
            && found.expires().isEmpty())
        .count();
  }

  public void stop() {
    follower.stop();
  }

  /** Takes in what stands in the store, and every change. */
  private final class Known implements Follower.Sink {
    private Map<String, TokenRecord> reading = new ConcurrentHashMap<>();

    @Override
    public void loading() {
      reading = new ConcurrentHashMap<>();
    }

    @Override
    public void put(Entry entry) {
      Desk.legible(entry, TokenRecord.class).ifPresent(record -> {
        reading.put(entry.key().text(), record);
        hashes.put(record.id(), entry.key().text());
      });
      fresh.remove(entry.key().text());
    }

    @Override
    public void deleted(Key key, long revision) {
      reading.remove(key.text());
      hashes.values().remove(key.text());
      fresh.remove(key.text());
    }

    @Override
    public void loaded() {
      stored = reading;
      loaded.complete(null);
    }
  }
}
