package io.belfry.server.access;

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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Who may do what. All tokens are kept in memory, by their hashes, and followed in the store: a request costs no round trip, and a token
 * that was revoked on one node is refused by the others a moment later. A token of a namespace ends with the namespace.
 *
 * <p>Threading: safe.
 */
public final class Tokens {
  /** With what every token begins. */
  public static final String PREFIX = "bft_";

  /** Expired ones are known for so long, so that whoever still shows one is named in the audit log. */
  public static final Duration KEPT_EXPIRED = Duration.ofDays(7);

  private static final int CHARS_MAX = 200;
  private static final int TRIES_MAX = 20;
  private static final int SWEPT_AT_ONCE = 100;
  private static final Duration LONGEST = Duration.ofDays(3660);

  /** A token as it is shown, once. */
  public record Made(String token, TokenRecord record) {}

  /** What became of revoking. */
  public enum Revocation {
    REVOKED,
    UNKNOWN,
    /** Refused: no admin of all namespaces would be left who does not expire. */
    LAST_ADMIN
  }

  private final RecordTable table;
  private final NamespaceRegistry namespaces;
  private final Time time;
  private final SecureRandom random;
  private final FollowedRecords<TokenRecord> known;
  private final LastAdmin lastAdmin;
  private final TokenLimits limits;

  public Tokens(RecordTable table, NamespaceRegistry namespaces, Loop loop, Time time, SecureRandom random) {
    this.table = table;
    this.namespaces = namespaces;
    this.time = time;
    this.random = random;
    this.known = new FollowedRecords<>(
        table, loop, Spaces.TOKENS, TokenRecord.class, TokenRecord::id, () -> {});
    this.lastAdmin = new LastAdmin(table);
    this.limits = new TokenLimits(table, known, time);
  }

  /** Completes once the tokens of the store are known. */
  public CompletableFuture<Void> loaded() {
    return known.loaded();
  }

  /** Who has this token; empty if it is not known, or not valid any more. */
  public Optional<Principal> verify(String token) {
    if (!isToken(token)) {
      return Optional.empty();
    }
    return known.find(Secret.hash(token)).filter(this::isValid).map(TokenRecord::principal);
  }

  /** Whose token this was, if it was valid once and has expired. */
  public Optional<Principal> lapsed(String token) {
    return isToken(token)
        ? known
            .find(Secret.hash(token))
            .filter(record -> record.isOver(time.wall()))
            .map(TokenRecord::principal)
        : Optional.empty();
  }

  /** Whether it looks like one at all: others are not even looked up. */
  public static boolean isToken(String text) {
    return text.length() <= CHARS_MAX && text.startsWith(PREFIX);
  }

  /** Whether the token of that id is still valid. */
  public boolean isGood(String id) {
    return holder(id).isPresent();
  }

  /** Who has the token of that id, if it is still valid. */
  Optional<Principal> holder(String id) {
    return known.findById(id).filter(this::isValid).map(TokenRecord::principal);
  }

  private boolean isValid(TokenRecord record) {
    return !record.isOver(time.wall()) && !isEnded(record);
  }

  /** Whether the namespace that the token was made for has been deleted. */
  public boolean isEnded(TokenRecord record) {
    return record.scope().filter(scope -> !namespaces.isCurrent(scope)).isPresent();
  }

  /** Makes a token. */
  public Made create(
      String name, Role role, Optional<String> namespace, Optional<Duration> life, String by) {
    Optional<Owner> owner =
        namespace.map(each -> namespaces.entry(each).map(Owner::of).orElseThrow(() -> gone(each)));
    return create(name, role, owner, life, by, Optional.empty()).orElseThrow();
  }

  /**
   * Makes a token for somebody who has one, if its own and its namespace are in the store then: who is revoked, or whose namespace was
   * deleted, must not live on in a token that it made meanwhile, on a node that has not heard of it yet.
   *
   * @param namespace as the maker's rights in it were judged: if it was deleted, none is made in a later one of its name
   * @return empty if the maker has ended
   */
  public Optional<Made> create(
      String name,
      Role role,
      Optional<NamespaceRecord> namespace,
      Optional<Duration> life,
      Principal maker) {
    Optional<Entry> entry =
        known.keyOf(maker.id()).flatMap(hash -> table.find(Key.of(Spaces.TOKENS, hash)));
    Optional<Owner> owner = namespace.flatMap(this::owner);
    boolean ended = maker
        .scope()
        .filter(own -> owner.filter(each -> each.record.scope().equals(own)).isEmpty())
        .isPresent();
    if (entry.isEmpty() || ended) {
      return Optional.empty();
    }
    if (owner.isEmpty()) {
      namespace.ifPresent(each -> {
        throw gone(each.name());
      });
    }
    return create(name, role, owner, life, maker.name(), entry);
  }

  /** The namespace of a token to be, as it lies in the store, for those who guard by it. */
  private record Owner(Entry entry, NamespaceRecord record) {
    static Owner of(Entry entry) {
      return new Owner(entry, RecordTable.read(entry.value(), NamespaceRecord.class));
    }
  }

  /** Empty: it does not exist any more, whatever has its name now. */
  private Optional<Owner> owner(NamespaceRecord namespace) {
    return namespaces
        .entry(namespace.name())
        .map(Owner::of)
        .filter(owner -> owner.record.scope().equals(namespace.scope()));
  }

  private Optional<Made> create(
      String name,
      Role role,
      Optional<Owner> owner,
      Optional<Duration> life,
      String by,
      Optional<Entry> maker) {
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
    String token = Secret.make(PREFIX, random);
    TokenRecord record = record(name, role, owner.map(each -> each.record.name()), life, by)
        .in(owner.flatMap(each -> each.record.incarnation()));
    Key key = key(token);
    for (int tried = 0; tried < TRIES_MAX; tried++) {
      Commit.Builder commit = Commit.when().absent(key).put(key, RecordTable.bytes(record));
      owner.ifPresent(each -> commit.unchanged(each.entry));
      maker.ifPresent(commit::unchanged);
      limits.place(record.scope()).takeBy(commit);
      if (known.write(key, commit)) {
        return Optional.of(new Made(token, record));
      }
      // Two random tokens cannot be the same: the maker has ended, the namespace has, or others
      // were faster.
      if (maker.isPresent() && table.find(maker.get().key()).isEmpty()) {
        return Optional.empty();
      }
      if (owner.isPresent() && owner(owner.get().record).isEmpty()) {
        throw gone(owner.get().record.name());
      }
    }
    throw new StoreException.Overloaded(
        "Tokens are created elsewhere at the same time, faster than this one could be. Ask again later.");
  }

  private static RuntimeException gone(String namespace) {
    return Check.refusal(
        "namespace",
        namespace,
        "must exist, because the token is for it, but has been deleted",
        "Ask again with a namespace that exists.");
  }

  private TokenRecord record(
      String name, Role role, Optional<String> namespace, Optional<Duration> life, String by) {
    Instant now = time.wall();
    return new TokenRecord(
        Secret.id(random), name, role, namespace, now, life.map(now::plus), by, Optional.empty());
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
    return known.write(
        key(token),
        Commit.when()
            .absent(first)
            .put(first, RecordTable.bytes(node))
            .put(key(token), RecordTable.bytes(record)));
  }

  /** The node that put the first admin in; empty if none did. */
  public Optional<String> begunBy() {
    return table.find(Key.of(Spaces.BEGINNING, "admin"), String.class);
  }

  /** Lets this token be an admin of all namespaces, whatever was before: whoever writes the configuration decides. */
  public void appoint(String token, String node) {
    Key key = key(token);
    if (table.find(key).isPresent()) {
      return;
    }
    TokenRecord record = record("admin", Role.ADMIN, Optional.empty(), Optional.empty(), node);
    Key first = Key.of(Spaces.BEGINNING, "admin");
    var unusedFirst = table.commit(Commit.when().absent(first).put(first, RecordTable.bytes(node)));
    var unusedWritten = known.write(key, Commit.when().absent(key).put(key, RecordTable.bytes(record)));
  }

  /** A new one to begin with. */
  public String random() {
    return Secret.make(PREFIX, random);
  }

  /** The tokens that may do something in the namespace, by name. */
  public List<TokenRecord> list(NamespaceRecord namespace) {
    return list().stream()
        .filter(found -> found.principal().maySee(namespace) && !isEnded(found))
        .toList();
  }

  /** All tokens by name, also those of namespaces that were deleted and are not swept yet. */
  public List<TokenRecord> list() {
    return known.current().stream()
        .sorted(Comparator.comparing(TokenRecord::name).thenComparing(TokenRecord::id))
        .toList();
  }

  public Optional<TokenRecord> find(String id) {
    return known.findById(id);
  }

  /**
   * Revokes the token of that id. It is refused here once the store has said so; until then, and if the store says no, it goes on.
   *
   * @throws StoreException nothing has changed; or, if it is not known whether it has, an {@code Unknown} that says so
   */
  public Revocation revoke(String id) {
    Optional<TokenRecord> record = known.findById(id);
    Optional<String> hash = known.keyOf(id);
    if (record.isEmpty() || hash.isEmpty()) {
      return Revocation.UNKNOWN;
    }
    if (!delete(record.get(), Key.of(Spaces.TOKENS, hash.get()))) {
      return Revocation.LAST_ADMIN;
    }
    known.hide(record.get());
    return Revocation.REVOKED;
  }

  private boolean delete(TokenRecord record, Key key) {
    try {
      return record.isKeyHolder()
          ? lastAdmin.revoke(key)
          : table.commit(Commit.when().delete(key));
    } catch (StoreException.Unknown e) {
      throw new StoreException.Unknown(
          "It is not known whether token " + record.id()
              + " is revoked, because the store did not answer: it may still be good. List the tokens, and revoke it again if it is there.",
          e);
    }
  }

  /** Forgets those that expired {@link #KEPT_EXPIRED} ago; returns how many. */
  public int sweep() {
    Instant until = time.wall().minus(KEPT_EXPIRED);
    List<Key> over = known.current().stream()
        .filter(record -> record.isOver(until))
        .flatMap(record -> known.keyOf(record.id()).stream())
        .map(hash -> Key.of(Spaces.TOKENS, hash))
        .toList();
    int swept = 0;
    for (int from = 0; from < over.size(); from += SWEPT_AT_ONCE) {
      List<Key> some = over.subList(from, Math.min(over.size(), from + SWEPT_AT_ONCE));
      Commit.Builder commit = Commit.when();
      some.forEach(commit::delete);
      swept += table.commit(commit) ? some.size() : 0;
    }
    return swept;
  }

  /** Reads all of them again, in case the feed of the store has lost a change. */
  public void readAgain() {
    known.readAgain();
  }

  public void stop() {
    known.stop();
  }
}
