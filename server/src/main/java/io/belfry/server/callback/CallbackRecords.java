package io.belfry.server.callback;

import io.belfry.core.execute.AttemptContext;
import io.belfry.core.execute.AttemptException;
import io.belfry.executors.http.Callbacks;
import io.belfry.model.job.Payload;
import io.belfry.model.retry.FailureKind;
import io.belfry.model.task.Failure;
import io.belfry.model.task.Result;
import io.belfry.model.time.Time;
import io.belfry.server.access.RecordTable;
import io.belfry.server.access.NamespaceRegistry;
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
 * Addresses at which targets tell the end of long work. What was promised and what was told lies in the store, by the hash of the
 * address's secret: any server takes it in, and the worker that waits hears of it. Addresses are signed, so that one that nobody gave out is
 * refused without asking the store.
 *
 * <pre>
 *   worker: open ──▶ record (waits) ◀──unchanged, put── any server: POST /callbacks/{token}
 *             await ◀── watch of that key ──┘
 * </pre>
 *
 * <p>Threading: safe.
 */
public final class CallbackRecords {
  private static final Logger LOG = LoggerFactory.getLogger(CallbackRecords.class);
  private static final Space PROMISES = Space.plain("cb").inOrder().watchedByKey();
  private static final Duration SPARE = Duration.ofMinutes(10);
  private static final Duration PAUSE = Duration.ofMillis(200);
  /** So often a promise is read while it is waited for. */
  private static final Duration LOOK = Duration.ofSeconds(30);

  private static final String KIND = "c/";
  /** Of versions that signed no addresses. */
  private static final Pattern UNSIGNED = Pattern.compile("[A-Za-z0-9_-]{43}");

  private static final int SWEPT_MAX = 50;

  /** Who made an address. */
  public enum Origin {
    SIGNED,
    /** Maybe a version that did not sign: only the store knows. */
    UNSIGNED,
    /** Not this cluster. */
    FOREIGN
  }

  /** What became of telling. */
  public enum Outcome {
    TAKEN,
    TOLD_BEFORE,
    UNKNOWN
  }

  /**
   * What was told.
   *
   * @param data JSON, or nothing
   */
  public record Told(boolean succeeded, int code, String message, Optional<String> data) {}

  /**
   * That somebody waits.
   *
   * @param namespace its scope, which ends with the namespace
   */
  private record Promise(String namespace, String task, Instant expires, Optional<Told> told) {}

  private final RecordTable table;
  private final NamespaceRegistry namespaces;
  private final Time time;
  private final SecureRandom random;
  private final Signatures signatures;
  private final Supplier<Optional<String>> url;

  /**
   * The table of one process.
   *
   * @param url how targets reach a server; empty while there is none
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

  /** For the executors of the namespace of that {@linkplain io.belfry.server.access.NamespaceRecord#scope scope}. */
  public Callbacks of(String scope) {
    return attempt -> url.get().map(base -> open(scope, base, attempt));
  }

  private static Key key(String token) {
    return Key.of(PROMISES, Secret.hash(token));
  }

  private Callbacks.Callback open(String scope, String base, AttemptContext attempt) {
    String token = signatures.make(KIND, Secret.id(random));
    Key key = key(token);
    var promise = new Promise(
        scope,
        attempt.task().toString(),
        time.wall().plus(attempt.timeout()).plus(SPARE),
        Optional.empty());
    if (!table.commit(Commit.when().absent(key).put(key, RecordTable.bytes(promise)))) {
      throw new IllegalStateException("two random words cannot be the same");
    }
    return new Waiting(key, URI.create(base + "/api/v1/callbacks/" + token));
  }

  /** Judged without the store. */
  public Origin origin(String token) {
    if (signatures.open(KIND, token).isPresent()) {
      return Origin.SIGNED;
    }
    return UNSIGNED.matcher(token).matches() ? Origin.UNSIGNED : Origin.FOREIGN;
  }

  /** Whether somebody waits at this address, or was told already. */
  public boolean isKnown(String token) {
    return table.find(key(token)).isPresent();
  }

  /** Takes down what a target tells. */
  public Outcome tell(String token, Told told) {
    if (origin(token) == Origin.FOREIGN) {
      return Outcome.UNKNOWN;
    }
    Optional<Entry> entry = table.find(key(token));
    if (entry.isEmpty()) {
      return Outcome.UNKNOWN;
    }
    Promise promise = RecordTable.read(entry.get().value(), Promise.class);
    if (promise.told.isPresent()) {
      return Outcome.TOLD_BEFORE;
    }
    if (!time.wall().isBefore(promise.expires) || !namespaces.isCurrent(promise.namespace)) {
      return Outcome.UNKNOWN;
    }
    var kept = new Promise(promise.namespace, promise.task, promise.expires, Optional.of(told));
    boolean first =
        table.commit(Commit.when().unchanged(entry.get()).put(entry.get().key(), RecordTable.bytes(kept)));
    return first ? Outcome.TAKEN : Outcome.TOLD_BEFORE;
  }

  /** Forgets promises that nobody waits for any more. */
  public int sweep() {
    int swept = 0;
    Optional<Scan> next = Optional.of(Scan.all(PROMISES));
    while (next.isPresent()) {
      Page page = table.scan(next.get());
      List<Entry> over = new ArrayList<>();
      page.entries().stream()
          .filter(entry -> RecordTable.tryRead(entry, Promise.class)
              .filter(promise -> !time.wall().isBefore(promise.expires()))
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

  /** One promise, until it is kept or given up. What the watch does not tell is found by looking, after {@link #LOOK} at the latest. */
  private final class Waiting implements Callbacks.Callback, Watcher {
    private final Key key;
    private final URI address;
    private final CompletableFuture<Told> told = new CompletableFuture<>();
    private final ReentrantLock lock = new ReentrantLock();
    private Optional<Watch> watch = Optional.empty();
    private boolean closed;

    Waiting(Key key, URI address) {
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

    private void look() {
      try {
        table.find(key).ifPresent(this::take);
      } catch (StoreException e) {
        LOG.debug("Whether {} was told could not be read; it is tried again.", key, e);
      }
    }

    /** It may have been told before the watch began. */
    @Override
    public void opened(long revision) {
      Thread.startVirtualThread(this::look);
    }

    /** The watch is over, and tells nothing any more. */
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
      RecordTable.read(entry.value(), Promise.class).told().ifPresent(told::complete);
    }

    @Override
    public Result await() throws InterruptedException, AttemptException {
      while (true) {
        try {
          return result(told.get(LOOK.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
          look();
        } catch (ExecutionException e) {
          throw new IllegalStateException("it is never completed so", e);
        }
      }
    }

    private static Result result(Told told) throws AttemptException {
      Payload data = told.data().map(Payload::json).orElse(Payload.EMPTY);
      var result = new Result(told.code(), told.message(), data);
      if (!told.succeeded()) {
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
