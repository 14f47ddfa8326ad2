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
 * API tokens. All tokens are kept in memory by their hashes, and updated by a watch: a request needs no round trip, and a token that was revoked on
 * one node is refused by the others a moment later. A token of a namespace ends with the namespace.
 *
 * <p>Threading: safe.
 */
public final class Tokens {
  /** Prefix of every token. */
  public static final String PREFIX = "bft_";

  /** How long expired tokens are kept, so that the audit log can name callers that still use one. */
  public static final Duration KEPT_EXPIRED = Duration.ofDays(7);

  private static final int CHARS_MAX = 200;
  private static final int TRIES_MAX = 20;
  private static final int SWEPT_AT_ONCE = 100;
  private static final Duration LONGEST = Duration.ofDays(3660);

  /** A new token, which is shown only once. */
  public record Made(String token, TokenRecord record) {}

  /** The outcome of a revocation. */
  public enum Revocation {
    REVOKED,
    UNKNOWN,
    /** Refused: it is the last global admin token that does not expire. */
    LAST_ADMIN
  }

  private final RecordTable table;
  private final NamespaceRegistry namespaces;
  private final Time time;
  private final SecureRandom random;
  private final FollowedRecords<TokenRecord> known;
  private final LastAdmin lastAdmin;
  private final TokenLimits limits;

  public Tokens(
      RecordTable table, NamespaceRegistry namespaces, Loop loop, Time time, SecureRandom random) {
    this.table = table;
    this.namespaces = namespaces;
    this.time = time;
    this.random = random;
    this.known = new FollowedRecords<>(
        table, loop, Spaces.TOKENS, TokenRecord.class, TokenRecord::id, () -> {});
    this.lastAdmin = new LastAdmin(table);
    this.limits = new TokenLimits(table, known, time);
  }

  /** Completes when the tokens have been loaded from the store. */
  public CompletableFuture<Void> loaded() {
    return known.loaded();
  }

  /** The principal of this token; empty if the token is unknown or no longer valid. */
  public Optional<Principal> verify(String token) {
    if (!isToken(token)) {
      return Optional.empty();
    }
    return known.find(Secret.hash(token)).filter(this::isValid).map(TokenRecord::principal);
  }

  /** The principal of this token, if the token has expired. */
  public Optional<Principal> expired(String token) {
    return isToken(token)
        ? known
            .find(Secret.hash(token))
            .filter(record -> record.isOver(time.wall()))
            .map(TokenRecord::principal)
        : Optional.empty();
  }

  /** Whether the text has the form of a token; others are refused without a lookup. */
  public static boolean isToken(String text) {
    return text.length() <= CHARS_MAX && text.startsWith(PREFIX);
  }

  /** Whether the token with this id is still valid. */
  public boolean isValid(String id) {
    return holder(id).isPresent();
  }

  /** The principal of the token with this id, if it is still valid. */
  Optional<Principal> holder(String id) {
    return known.findById(id).filter(this::isValid).map(TokenRecord::principal);
  }

  private boolean isValid(TokenRecord record) {
    return !record.isOver(time.wall()) && !isEnded(record);
  }

  /** Whether the namespace of the token was deleted. */
  public boolean isEnded(TokenRecord record) {
    return record.scope().filter(scope -> !namespaces.isCurrent(scope)).isPresent();
  }

  /** Creates a token. */
  public Made create(
      String name, Role role, Optional<String> namespace, Optional<Duration> life, String by) {
    Optional<Owner> owner =
        namespace.map(each -> namespaces.entry(each).map(Owner::of).orElseThrow(() -> gone(each)));
    return create(name, role, owner, life, by, Optional.empty()).orElseThrow();
  }

  /**
   * Creates a token on behalf of another token, guarded by the creator's token and the namespace in the store. A revoked token, or one of a deleted
   * namespace, must not survive through a token created on a node that does not know of the revocation yet.
   *
   * @param namespace incarnation for which the creator was authorized; no token is created in a later one
   * @return empty if the creator's token is no longer valid
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

  /** The stored namespace of a token to create, for use as a guard. */
  private record Owner(Entry entry, NamespaceRecord record) {
    static Owner of(Entry entry) {
      return new Owner(entry, RecordTable.read(entry.value(), NamespaceRecord.class));
    }
  }

  /** The stored entry of this incarnation; empty if it was deleted. */
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
        "a token must be valid for some time"));
    Check.that(
        name.chars().noneMatch(Character::isISOControl),
        "name",
        new Check.Plain("a text with line breaks or other control characters"),
        "must be one printable line, because it is shown in the audit log",
        "Remove them.");
    String token = Secret.make(PREFIX, random);
    TokenRecord record = record(name, role, owner.map(each -> each.record.name()), life, by)
        .in(owner.flatMap(each -> each.record.incarnation()));
    Key key = key(token);
    for (int tried = 0; tried < TRIES_MAX; tried++) {
      Commit.Builder commit = Commit.when().absent(key).put(key, RecordTable.bytes(record));
      owner.ifPresent(each -> commit.unchanged(each.entry));
      maker.ifPresent(commit::unchanged);
      limits.slot(record.scope()).takeBy(commit);
      if (known.write(key, commit)) {
        return Optional.of(new Made(token, record));
      }
      // Random tokens are never equal: the creator was revoked, the namespace was deleted, or the
      // counters were changed concurrently.
      if (maker.isPresent() && table.find(maker.get().key()).isEmpty()) {
        return Optional.empty();
      }
      if (owner.isPresent() && owner(owner.get().record).isEmpty()) {
        throw gone(owner.get().record.name());
      }
    }
    throw new StoreException.Overloaded(
        "The token was not created, because too many tokens are being created at the same time. Try again later.");
  }

  private static RuntimeException gone(String namespace) {
    return Check.refusal(
        "namespace",
        new Check.Plain(Check.clip(namespace, CHARS_MAX) + ", which does not exist any more"),
        "must exist, because the token is for it",
        "Use a namespace that exists.");
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
   * Creates the first global admin token, unless one was created before.
   *
   * @return false if another node was first
   */
  public boolean createFirstAdmin(String token, String node) {
    Key first = Key.of(Spaces.BEGINNING, "admin");
    TokenRecord record = record("admin", Role.ADMIN, Optional.empty(), Optional.empty(), node);
    return known.write(
        key(token),
        Commit.when()
            .absent(first)
            .put(first, RecordTable.bytes(node))
            .put(key(token), RecordTable.bytes(record)));
  }

  /** The node that created the first admin token; empty if there was none. */
  public Optional<String> firstAdminCreatedBy() {
    return table.find(Key.of(Spaces.BEGINNING, "admin"), String.class);
  }

  /** Makes this token, which comes from the configuration, a global admin token. */
  public void ensureAdmin(String token, String node) {
    Key key = key(token);
    if (table.find(key).isPresent()) {
      return;
    }
    TokenRecord record = record("admin", Role.ADMIN, Optional.empty(), Optional.empty(), node);
    Key first = Key.of(Spaces.BEGINNING, "admin");
    var unusedFirst = table.commit(Commit.when().absent(first).put(first, RecordTable.bytes(node)));
    var unusedWritten =
        known.write(key, Commit.when().absent(key).put(key, RecordTable.bytes(record)));
  }

  /** Generates a random token. */
  public String random() {
    return Secret.make(PREFIX, random);
  }

  /** Lists the tokens with access to the namespace, by name. */
  public List<TokenRecord> list(NamespaceRecord namespace) {
    return list().stream()
        .filter(found -> found.principal().maySee(namespace) && !isEnded(found))
        .toList();
  }

  /** Lists all tokens by name, including those of deleted namespaces that were not swept yet. */
  public List<TokenRecord> list() {
    return known.current().stream()
        .sorted(Comparator.comparing(TokenRecord::name).thenComparing(TokenRecord::id))
        .toList();
  }

  public Optional<TokenRecord> find(String id) {
    return known.findById(id);
  }

  /**
   * Revokes the token with this id. This node refuses it as soon as the store has confirmed the revocation.
   *
   * @throws StoreException if the token was not revoked; {@code Unknown} if it may have been revoked
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
          "Whether token " + record.id()
              + " was revoked is unknown, because the store did not respond: it may still be valid. List the tokens, and revoke it again if it is listed.",
          e);
    }
  }

  /** Deletes tokens that expired at least {@link #KEPT_EXPIRED} ago; returns how many. */
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

  /** Reloads all tokens, in case the watch has missed a change. */
  public void readAgain() {
    known.readAgain();
  }

  public void stop() {
    known.stop();
  }
}
