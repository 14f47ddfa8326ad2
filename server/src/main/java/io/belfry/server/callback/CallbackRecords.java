package io.belfry.server.callback;

import io.belfry.core.execute.AttemptContext;
import io.belfry.core.execute.AttemptException;
import io.belfry.executors.http.Callbacks;
import io.belfry.model.job.Payload;
import io.belfry.model.retry.FailureKind;
import io.belfry.model.task.Failure;
import io.belfry.model.task.Result;
import io.belfry.model.time.Time;
import io.belfry.server.access.NamespaceRegistry;
import io.belfry.server.access.RecordTable;
import io.belfry.server.access.Secret;
import io.belfry.server.access.Signatures;
import io.belfry.store.Change;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Feed;
import io.belfry.store.Key;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Space;
import io.belfry.store.StoreException;
import io.belfry.store.Watch;
import io.belfry.store.Watcher;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates callback addresses at which called services report the end of asynchronous work. A record per address is stored under the hash of its
 * secret: any server accepts the report, and the waiting worker receives it through a watch. Addresses are signed, so that a forged one is
 * refused without access to the store.
 *
 * <pre>
 *   worker: open ──▶ record (pending) ◀──unchanged, put── any server: POST /callbacks/{token}
 *             await ◀── watch of that key ──┘
 * </pre>
 *
 * <p>Threading: safe.
 */
public final class CallbackRecords {
  private static final Logger LOG = LoggerFactory.getLogger(CallbackRecords.class);
  private static final Space PENDING = Space.plain("cb").inOrder().watchedByKey();
  private static final Duration SPARE = Duration.ofMinutes(10);
  private static final Duration PAUSE = Duration.ofMillis(200);
  /** Interval at which a waiting worker reads the record, besides the watch. */
  private static final Duration POLL = Duration.ofSeconds(30);

  private static final String KIND = "c/";
  /** Addresses of versions that did not sign them. */
  private static final Pattern UNSIGNED = Pattern.compile("[A-Za-z0-9_-]{43}");

  private static final int SWEPT_MAX = 50;

  /** The origin of an address. */
  public enum Origin {
    /** Signed by this cluster. */
    SIGNED,
    /** Possibly created by a version that did not sign addresses; only the store can tell. */
    UNSIGNED,
    /** Not created by this cluster. */
    FOREIGN
  }

  /** The outcome of a report. */
  public enum Outcome {
    ACCEPTED,
    ALREADY_REPORTED,
    UNKNOWN
  }

  /**
   * The report of a service.
   *
   * @param data JSON; empty if there is none
   */
  public record Report(boolean succeeded, int code, String message, Optional<String> data) {}

  /**
   * The stored record of an address. The names of its components are part of the stored format.
   *
   * @param namespace scope of the namespace, which becomes invalid with the namespace
   * @param told the report, once it was received
   */
  private record Pending(String namespace, String task, Instant expires, Optional<Report> told) {}

  private final RecordTable table;
  private final NamespaceRegistry namespaces;
  private final Time time;
  private final SecureRandom random;
  private final Signatures signatures;
  private final Supplier<Optional<String>> url;

  /**
   * Creates the callbacks of one process.
   *
   * @param url external URL of the server; empty before it listens
   */
  public CallbackRecords(
      RecordTable table,
      NamespaceRegistry namespaces,
      Time time,
      SecureRandom random,
      Supplier<Optional<String>> url) {
    this.table = table;
    this.namespaces = namespaces;
    this.time = time;
    this.random = random;
    this.signatures = new Signatures(table, random);
    this.url = url;
  }

  /** The callbacks of a namespace, by its {@linkplain io.belfry.server.access.NamespaceRecord#scope scope}. */
  public Callbacks of(String scope) {
    return attempt -> url.get().map(base -> open(scope, base, attempt));
  }

  private static Key key(String token) {
    return Key.of(PENDING, Secret.hash(token));
  }

  private Callbacks.Callback open(String scope, String base, AttemptContext attempt) {
    String token = signatures.make(KIND, Secret.id(random));
    Key key = key(token);
    var pending = new Pending(
        scope,
        attempt.task().toString(),
        time.wall().plus(attempt.timeout()).plus(SPARE),
        Optional.empty());
    if (!table.commit(Commit.when().absent(key).put(key, RecordTable.bytes(pending)))) {
      throw new IllegalStateException("two random tokens cannot be equal");
    }
    return new OpenCallback(key, URI.create(base + "/api/v1/callbacks/" + token));
  }

  /** The origin of an address, determined without the store. */
  public Origin origin(String token) {
    if (signatures.open(KIND, token).isPresent()) {
      return Origin.SIGNED;
    }
    return UNSIGNED.matcher(token).matches() ? Origin.UNSIGNED : Origin.FOREIGN;
  }

  /** Whether the address has a record, pending or already reported. */
  public boolean isKnown(String token) {
    return table.find(key(token)).isPresent();
  }

  /** Accepts the report of a service. */
  public Outcome report(String token, Report report) {
    if (origin(token) == Origin.FOREIGN) {
      return Outcome.UNKNOWN;
    }
    Optional<Entry> entry = table.find(key(token));
    if (entry.isEmpty()) {
      return Outcome.UNKNOWN;
    }
    Pending pending = RecordTable.read(entry.get().value(), Pending.class);
    if (pending.told.isPresent()) {
      return Outcome.ALREADY_REPORTED;
    }
    if (!time.wall().isBefore(pending.expires) || !namespaces.isCurrent(pending.namespace)) {
      return Outcome.UNKNOWN;
    }
    var kept = new Pending(pending.namespace, pending.task, pending.expires, Optional.of(report));
    boolean first = table.commit(
        Commit.when().unchanged(entry.get()).put(entry.get().key(), RecordTable.bytes(kept)));
    return first ? Outcome.ACCEPTED : Outcome.ALREADY_REPORTED;
  }

  /** Deletes expired records; returns how many. */
  public int sweep() {
    int swept = 0;
    Optional<Scan> next = Optional.of(Scan.all(PENDING));
    while (next.isPresent()) {
      Page page = table.scan(next.get());
      List<Entry> over = new ArrayList<>();
      page.entries().stream()
          .filter(entry -> RecordTable.tryRead(entry, Pending.class)
              .filter(pending -> !time.wall().isBefore(pending.expires()))
              .isPresent())
          .forEach(over::add);
      for (int from = 0; from < over.size(); from += SWEPT_MAX) {
        List<Entry> some = over.subList(from, Math.min(over.size(), from + SWEPT_MAX));
        Commit.Builder commit = Commit.when();
        some.forEach(entry -> commit.delete(entry.key()));
        swept += table.commit(commit) ? some.size() : 0;
      }
      next = page.next();
    }
    return swept;
  }

  /** An open callback of a waiting worker. A change that the watch misses is found by polling within {@link #POLL}. */
  private final class OpenCallback implements Callbacks.Callback, Watcher {
    private final Key key;
    private final URI address;
    private final CompletableFuture<Report> received = new CompletableFuture<>();
    private final ReentrantLock lock = new ReentrantLock();
    private Optional<Watch> watch = Optional.empty();
    private boolean closed;

    OpenCallback(Key key, URI address) {
      this.key = key;
      this.address = address;
      watch();
    }

    @Override
    public URI url() {
      return address;
    }

    private void watch() {
      lock.lock();
      try {
        if (!closed) {
          watch = Optional.of(table.store().watch(Feed.of(key), Watch.NOW, this));
        }
      } finally {
        lock.unlock();
      }
    }

    private void poll() {
      try {
        table.find(key).ifPresent(this::take);
      } catch (StoreException e) {
        LOG.debug("Callback {} could not be read; polling continues.", key, e);
      }
    }

    /** The report may have arrived before the watch was opened. */
    @Override
    public void opened(long revision) {
      Thread.startVirtualThread(this::poll);
    }

    /** The watch has ended, so a new one is opened. */
    @Override
    public void compacted() {
      Thread.startVirtualThread(() -> {
        LockSupport.parkNanos(PAUSE.toNanos());
        watch();
      });
    }

    @Override
    public void changed(long revision, List<Change> changes) {
      for (Change change : changes) {
        if (change instanceof Change.Put(Entry entry)) {
          take(entry);
        }
      }
    }

    private void take(Entry entry) {
      RecordTable.read(entry.value(), Pending.class).told().ifPresent(received::complete);
    }

    @Override
    public Result await() throws InterruptedException, AttemptException {
      while (true) {
        try {
          return result(received.get(POLL.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
          poll();
        } catch (ExecutionException e) {
          throw new IllegalStateException("this future never fails", e);
        }
      }
    }

    private static Result result(Report report) throws AttemptException {
      Payload data = report.data().map(Payload::json).orElse(Payload.EMPTY);
      var result = new Result(report.code(), report.message(), data);
      if (!report.succeeded()) {
        throw new AttemptException(new Failure(FailureKind.ERROR, result));
      }
      return result;
    }

    @Override
    public void close() {
      lock.lock();
      try {
        closed = true;
        watch.ifPresent(Watch::close);
      } finally {
        lock.unlock();
      }
      var unused = table.store().commit(Commit.when().delete(key).build());
    }
  }
}
