package io.belfry.library;

import io.belfry.model.Check;
import io.belfry.store.CommitObserver;
import io.belfry.store.Endpoint;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import io.belfry.store.embedded.EmbeddedSettings;
import io.belfry.store.embedded.EmbeddedStore;
import io.belfry.store.etcd.EtcdSettings;
import io.belfry.store.etcd.EtcdStore;
import io.belfry.store.redis.RedisSettings;
import io.belfry.store.redis.RedisStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Connection settings of a storage engine: embedded, etcd or Redis. An option that the engine does not support is refused, not ignored.
 *
 * @param login user and password for etcd or Redis
 * @param database number of the Redis database; not for a Redis Cluster
 * @param certificates PEM files for TLS
 * @param acknowledgements number of Redis replicas that must acknowledge a write; empty: the value stored with the data, else a majority
 */
public record Engine(
    StoreUri uri,
    Optional<Login> login,
    int database,
    Optional<Certificates> certificates,
    OptionalInt acknowledgements) {

  /** A user of the engine. The password is never printed. */
  public record Login(String user, String password) {
    @Override
    public String toString() {
      return "Login[user=" + user + ", password=(hidden)]";
    }
  }

  /**
   * PEM files for TLS.
   *
   * @param authority CA certificates to trust
   * @param identity client certificate for mutual TLS
   */
  public record Certificates(Path authority, Optional<Identity> identity) {
    /** A client certificate and its private key (PKCS#8). */
    public record Identity(Path certificate, Path key) {}
  }

  /** The engine at this URI; see {@link StoreUri}. */
  public static Engine at(String uri) {
    return new Engine(
        StoreUri.parse(uri), Optional.empty(), 0, Optional.empty(), OptionalInt.empty());
  }

  /** User and password for etcd or Redis. */
  public Engine login(String user, String password) {
    return new Engine(
        uri, Optional.of(new Login(user, password)), database, certificates, acknowledgements);
  }

  /** Number of the Redis database. */
  public Engine database(int number) {
    return new Engine(uri, login, number, certificates, acknowledgements);
  }

  /** PEM files for TLS. */
  public Engine certificates(Certificates files) {
    return new Engine(uri, login, database, Optional.of(files), acknowledgements);
  }

  /** Number of Redis replicas that must acknowledge a write. */
  public Engine acknowledgements(int replicas) {
    return new Engine(uri, login, database, certificates, OptionalInt.of(replicas));
  }

  /** Validates the options; opens nothing but certificate files. */
  void check(String prefix, String namespace) {
    boolean redis = uri.kind() == StoreUri.Kind.REDIS;
    boolean embedded = uri.kind() == StoreUri.Kind.EMBEDDED;
    fits(login.isEmpty() || !embedded, "login", "an embedded store has no users");
    fits(certificates.isEmpty() || uri.tls(), "certificates", "it is not reached over TLS");
    fits(database == 0 || redis, "database", "only Redis has numbered databases");
    fits(
        acknowledgements.isEmpty() || redis,
        "acknowledgements",
        "only Redis can be asked for them");
    switch (uri.kind()) {
      case EMBEDDED -> uri.directory();
      case ETCD -> etcd(prefix, namespace);
      case REDIS -> redis(prefix, namespace);
    }
  }

  private void fits(boolean ok, String option, String why) {
    if (!ok) {
      throw Check.refusal(
          "engine." + option,
          uri.text(),
          "must not be given with this store, because " + why,
          "Leave " + option + " out, or change the store.");
    }
  }

  Store open(String prefix, String namespace, CommitObserver observer) {
    return switch (uri.kind()) {
      case EMBEDDED ->
        EmbeddedStore.open(EmbeddedSettings.of(directory(namespace)).observer(observer));
      case ETCD -> EtcdStore.connect(etcd(prefix, namespace).observer(observer));
      case REDIS -> RedisStore.connect(redis(prefix, namespace).observer(observer));
    };
  }

  /** The server addresses in the URI; none for an embedded store. */
  public Set<Endpoint> endpoints() {
    return switch (uri.kind()) {
      case EMBEDDED -> Set.of();
      case ETCD -> Set.copyOf(EtcdSettings.of(uri.text(), "any").endpoints());
      case REDIS -> RedisSettings.at(uri.text()).endpoints();
    };
  }

  /** Each namespace has its own directory, so that it can be moved or deleted separately. */
  private Path directory(String namespace) {
    Path parent = uri.directory().toAbsolutePath();
    try {
      Files.createDirectories(parent);
    } catch (IOException e) {
      throw new StoreException.Denied(
          "The directory " + parent
              + " must exist or be creatable, because it holds the store, but " + e
              + ". Check its parents and their permissions.",
          e);
    }
    return parent.resolve(namespace);
  }

  private EtcdSettings etcd(String prefix, String namespace) {
    EtcdSettings settings =
        EtcdSettings.of(uri.text(), namespace).prefix(KeyPrefix.parse(prefix).onEtcd(namespace));
    if (login.isPresent()) {
      settings = settings.user(login.get().user(), login.get().password());
    }
    if (certificates.isPresent()) {
      settings = settings.tlsFiles(new EtcdSettings.TlsFiles(
          certificates.map(Certificates::authority),
          certificates.flatMap(Certificates::identity).map(Certificates.Identity::certificate),
          certificates.flatMap(Certificates::identity).map(Certificates.Identity::key)));
    }
    return settings;
  }

  private RedisSettings redis(String prefix, String namespace) {
    RedisSettings settings = RedisSettings.at(uri.text())
        .prefix(KeyPrefix.parse(prefix).onRedis())
        .namespace(namespace)
        .database(database);
    if (login.isPresent()) {
      settings = settings.login(login.get().user(), login.get().password());
    }
    if (certificates.isPresent()) {
      settings = settings.certificates(new RedisSettings.Certificates(
          certificates.get().authority(),
          certificates
              .get()
              .identity()
              .map(own -> new RedisSettings.Certificates.Identity(own.certificate(), own.key()))));
    }
    if (acknowledgements.isPresent()) {
      settings = settings.acknowledgements(acknowledgements.getAsInt());
    }
    return settings;
  }
}
