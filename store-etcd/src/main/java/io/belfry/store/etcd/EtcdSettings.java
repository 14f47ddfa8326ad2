package io.belfry.store.etcd;

import io.belfry.store.CommitObserver;
import io.belfry.store.Endpoint;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How to reach an etcd cluster and how to behave there. Every relation is checked when it is made.
 *
 * @param prefix under which all keys of the data set live
 * @param credentials of etcd's own authentication, where it is enabled
 * @param batchesAway batches on their way at the same time
 * @param observer sees how commits get on
 */
public record EtcdSettings(
    List<Endpoint> endpoints,
    boolean tls,
    String prefix,
    Optional<Credentials> credentials,
    TlsFiles tlsFiles,
    Timeouts timeouts,
    Room room,
    int batchesAway,
    CommitObserver observer) {

  private static final Pattern NAMESPACE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
  private static final int PREFIX_BYTES_MAX = 128;
  private static final int BATCHES_AWAY_MAX = 64;
  private static final int BATCHES_AWAY_DEFAULT = 4;

  /** A user of etcd's own. The password is never printed. */
  public record Credentials(String user, String password) {
    public Credentials {
      require(!user.isEmpty(), "etcd.user must not be empty. Give a user, or none.");
      require(
          !password.isEmpty(),
          "etcd.password must not be empty when etcd.user is given (" + user
              + "), because etcd refuses empty passwords. Give the password of that user.");
    }

    @Override
    public String toString() {
      return "Credentials[user=" + user + ", password=(hidden)]";
    }
  }

  /** PEM files: whom we trust (else the JDK's authorities), and who we are. The key is PKCS#8. */
  public record TlsFiles(Optional<Path> authority, Optional<Path> certificate, Optional<Path> key) {
    public static final TlsFiles NONE =
        new TlsFiles(Optional.empty(), Optional.empty(), Optional.empty());

    public TlsFiles {
      require(
          certificate.isPresent() == key.isPresent(),
          "etcd.cert and etcd.key must be given together, because one proves nothing without the other,"
              + " but only " + (key.isPresent() ? "etcd.key" : "etcd.cert")
              + " was given. Give both, or neither.");
      readable("etcd.ca", authority);
      readable("etcd.cert", certificate);
      readable("etcd.key", key);
    }

    boolean any() {
      return authority.isPresent() || certificate.isPresent();
    }

    private static void readable(String name, Optional<Path> file) {
      file.ifPresent(path -> require(
          Files.isReadable(path),
          name + " must be a PEM file that can be read, but " + path
              + " cannot. Check the path and its permissions."));
    }
  }

  /**
   * How long we wait for what.
   *
   * @param connect until a member that does not shake hands is given up for the next
   * @param request until an unanswered request is given up; for a commit that means unknown
   * @param probeEvery how often the member in use is asked whether it lives
   * @param probe until a member that does not answer this is left
   */
  public record Timeouts(Duration connect, Duration request, Duration probeEvery, Duration probe) {
    public static final Timeouts DEFAULT = new Timeouts(
        Duration.ofSeconds(1),
        Duration.ofSeconds(5),
        Duration.ofMillis(500),
        Duration.ofMillis(1500));

    public Timeouts {
      bounded("etcd.connect-timeout", connect);
      bounded("etcd.request-timeout", request);
      bounded("etcd.probe-every", probeEvery);
      bounded("etcd.probe-timeout", probe);
      within("etcd.connect-timeout", connect, request, "or no request can try another member");
      within("etcd.probe-timeout", probe, request, "or it never finds a silent member first");
    }

    private static void within(String name, Duration value, Duration request, String why) {
      require(
          value.compareTo(request) <= 0,
          name + " must not be longer than etcd.request-timeout (" + request + "), " + why
              + ", but was " + value + ". Lower it, or raise etcd.request-timeout.");
    }
  }

  /**
   * Whose etcd it is, and how much of it there is.
   *
   * @param dedicated whether this etcd serves Belfry alone, so that its history may be compacted
   * @param keep how much history compaction leaves
   * @param quotaBytes etcd's {@code --quota-backend-bytes}, against which fullness is reported
   */
  public record Room(boolean dedicated, Duration keep, long quotaBytes) {
    /** Never compacts; etcd's own default quota. */
    public static final Room SHARED = new Room(false, Duration.ofSeconds(60), 2L << 30);

    /** Compacts every 10 s and keeps 60 s. */
    public static final Room DEDICATED = new Room(true, Duration.ofSeconds(60), 2L << 30);

    public Room {
      bounded("etcd.keep", keep);
      require(
          quotaBytes >= 1 << 20,
          "etcd.quota-bytes must be at least 1 MiB, the size of one batch, but was " + quotaBytes
              + ". Give what etcd was started with as --quota-backend-bytes.");
    }

    public Room quotaBytes(long value) {
      return new Room(dedicated, keep, value);
    }
  }

  public EtcdSettings {
    endpoints = List.copyOf(endpoints);
    require(!endpoints.isEmpty(), "etcd needs at least one endpoint. Give etcd://host:port.");
    require(
        prefix.endsWith("/")
            && prefix.getBytes(StandardCharsets.UTF_8).length <= PREFIX_BYTES_MAX
            && prefix.length() > 1,
        "etcd.prefix must end with '/' and have 2 to " + PREFIX_BYTES_MAX
            + " bytes, because every key begins with it, but was '" + prefix
            + "'. Choose something like /belfry/default/.");
    require(
        tls || !tlsFiles.any(),
        "etcd.ca, etcd.cert and etcd.key need TLS, but the URI begins with etcd://, which would send"
            + " everything in the clear. Write etcds://.");
    require(
        room.keep.compareTo(timeouts.request.multipliedBy(2)) >= 0,
        "etcd.keep must be at least twice etcd.request-timeout (" + timeouts.request
            + "), so that a watch survives one lost connection, but was " + room.keep
            + ". Raise it.");
    require(
        batchesAway >= 1 && batchesAway <= BATCHES_AWAY_MAX,
        "etcd.batches-away must be 1 to " + BATCHES_AWAY_MAX
            + ", so that etcd's own queue stays short, but was " + batchesAway
            + ". Leave it at its default.");
  }

  /** The defaults, for a namespace on a cluster given as {@code etcd://h:p,h:p} or {@code etcds://…}, with {@code ?dedicated=yes} where it serves Belfry alone. */
  public static EtcdSettings of(String uri, String namespace) {
    EtcdUri parsed = EtcdUri.parse(uri);
    require(
        NAMESPACE.matcher(namespace).matches(),
        "A namespace must match " + NAMESPACE + ", because it becomes part of every key, but was '"
            + namespace + "'. Choose a short name.");
    return new EtcdSettings(
        parsed.endpoints(),
        parsed.tls(),
        "/belfry/" + namespace + "/",
        Optional.empty(),
        TlsFiles.NONE,
        Timeouts.DEFAULT,
        parsed.room(),
        BATCHES_AWAY_DEFAULT,
        CommitObserver.NONE);
  }

  public EtcdSettings prefix(String value) {
    return new EtcdSettings(
        endpoints, tls, value, credentials, tlsFiles, timeouts, room, batchesAway, observer);
  }

  public EtcdSettings user(String user, String password) {
    var given = Optional.of(new Credentials(user, password));
    return new EtcdSettings(
        endpoints, tls, prefix, given, tlsFiles, timeouts, room, batchesAway, observer);
  }

  public EtcdSettings tlsFiles(TlsFiles value) {
    return new EtcdSettings(
        endpoints, tls, prefix, credentials, value, timeouts, room, batchesAway, observer);
  }

  public EtcdSettings timeouts(Timeouts value) {
    return new EtcdSettings(
        endpoints, tls, prefix, credentials, tlsFiles, value, room, batchesAway, observer);
  }

  public EtcdSettings room(Room value) {
    return new EtcdSettings(
        endpoints, tls, prefix, credentials, tlsFiles, timeouts, value, batchesAway, observer);
  }

  public EtcdSettings batchesAway(int value) {
    return new EtcdSettings(
        endpoints, tls, prefix, credentials, tlsFiles, timeouts, room, value, observer);
  }

  public EtcdSettings observer(CommitObserver value) {
    return new EtcdSettings(
        endpoints, tls, prefix, credentials, tlsFiles, timeouts, room, batchesAway, value);
  }

  private static void bounded(String name, Duration value) {
    require(
        value.compareTo(Duration.ofMillis(10)) >= 0 && value.compareTo(Duration.ofMinutes(5)) <= 0,
        name + " must be between 10 ms and 5 min, but was " + value + ". Leave it at its default.");
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
