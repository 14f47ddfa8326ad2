package io.belfry.server.callback;

import io.belfry.core.execute.AttemptContext;
import io.belfry.core.execute.AttemptException;
import io.belfry.executors.http.Callbacks;
import io.belfry.model.job.Payload;
import io.belfry.model.retry.FailureKind;
import io.belfry.model.task.Failure;
import io.belfry.model.task.Result;
import io.belfry.model.time.Time;
import io.belfry.server.access.Desk;
import io.belfry.server.access.Secret;
import io.belfry.store.Change;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Feed;
import io.belfry.store.Key;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Space;
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
import java.util.function.Supplier;

/**
 * Addresses at which targets tell the end of long work. What was promised and what was told lies in the store, by the hash of the
 * address's secret: any server takes it in, and the worker that waits hears of it.
 *
 * <pre>
 *   worker: open ──▶ record (waits) ◀──unchanged, put── any server: POST /callbacks/{token}
 *             await ◀── watch of that key ──┘
 * </pre>
 *
 * <p>Threading: safe.
 */
public final class CallbackDesk {
  private static final Space PROMISES = Space.plain("cb").inOrder().watchedByKey();
  private static final Duration SPARE = Duration.ofMinutes(10);
  private static final int CHARS_MAX = 200;
  private static final int SWEPT_MAX = 50;

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

  private record Promise(String namespace, String task, Instant expires, Optional<Told> told) {}

  private final Desk desk;
  private final Time time;
  private final SecureRandom random;
  private final Supplier<Optional<String>> url;

  /**
   * The desk of one process.
   *
   * @param url how targets reach a server; empty while there is none
   */
  public CallbackDesk(Desk desk, Time time, SecureRandom random, Supplier<Optional<String>> url) {
    this.desk = desk;
    this.time = time;
    this.random = random;
    this.url = url;
  }

  /** For the executors of a namespace. */
  public Callbacks of(String namespace) {
    return attempt -> url.get().map(base -> open(namespace, base, attempt));
  }

  private static Key key(String token) {
    return Key.of(PROMISES, Secret.hash(token));
  }

  private Callbacks.Callback open(String namespace, String base, AttemptContext attempt) {
    String token = Secret.make("", random);
    Key key = key(token);
    var promise = new Promise(
        namespace,
        attempt.task().toString(),
        time.wall().plus(attempt.timeout()).plus(SPARE),
        Optional.empty());
    if (!desk.commit(Commit.when().absent(key).put(key, Desk.bytes(promise)))) {
      throw new IllegalStateException("two random words cannot be the same");
    }
    return new Waiting(key, URI.create(base + "/api/v1/callbacks/" + token));
  }

  /** Takes down what a target tells. */
  public Outcome tell(String token, Told told) {
    if (token.isEmpty() || token.length() > CHARS_MAX) {
      return Outcome.UNKNOWN;
    }
    Optional<Entry> entry = desk.find(key(token));
    if (entry.isEmpty()) {
      return Outcome.UNKNOWN;
    }
    Promise promise = Desk.read(entry.get().value(), Promise.class);
    if (promise.told.isPresent()) {
      return Outcome.TOLD_BEFORE;
    }
    if (!time.wall().isBefore(promise.expires)) {
      return Outcome.UNKNOWN;
    }
    var kept = new Promise(promise.namespace, promise.task, promise.expires, Optional.of(told));
    boolean first =
        desk.commit(Commit.when().unchanged(entry.get()).put(entry.get().key(), Desk.bytes(kept)));
    return first ? Outcome.TAKEN : Outcome.TOLD_BEFORE;
  }

  /** Forgets promises that nobody waits for any more. */
  public int sweep() {
    int swept = 0;
    Optional<Scan> next = Optional.of(Scan.all(PROMISES));
    while (next.isPresent()) {
      Page page = desk.scan(next.get());
      List<Entry> over = new ArrayList<>();
      page.entries().stream()
          .filter(entry -> Desk.legible(entry, Promise.class)
              .filter(promise -> !time.wall().isBefore(promise.expires()))
              .isPresent())
          .limit(SWEPT_MAX)
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

  /** One promise, until it is kept or given up. */
  private final class Waiting implements Callbacks.Callback, Watcher {
    private final Key key;
    private final URI address;
    private final CompletableFuture<Told> told = new CompletableFuture<>();
    private final Watch watch;

    Waiting(Key key, URI address) {
      this.key = key;
      this.address = address;
      this.watch = desk.store().watch(Feed.of(key), Watch.NOW, this);
    }

    @Override
    public URI url() {
      return address;
    }

    /** It may have been told before the watch began, or while it was blind. */
    private void look() {
      Thread.startVirtualThread(() -> desk.find(key).ifPresent(this::take));
    }

    @Override
    public void opened(long revision) {
      look();
    }

    @Override
    public void compacted() {
      look();
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
      Desk.read(entry.value(), Promise.class).told().ifPresent(told::complete);
    }

    @Override
    public Result await() throws InterruptedException, AttemptException {
      try {
        return result(told.get());
      } catch (ExecutionException e) {
        throw new IllegalStateException("it is never completed so", e);
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
      watch.close();
      var unused = desk.store().commit(Commit.when().delete(key).build());
    }
  }
}
