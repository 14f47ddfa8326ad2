package io.belfry.store;

import io.belfry.model.time.Time;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The one shape of all adapters: gathers whatever is waiting into a batch, sends it in one round trip, completes the
 * callers in order, takes the next batch. Nobody waits for a clock: under light load a batch is one commit and leaves at
 * once; under heavy load batches grow while others are away.
 *
 * <pre>
 *   commit ──▶ waiting ──gather──▶ batch ──send──▶ engine ──outcomes──▶ callers, in order
 *                 ▲                                          │
 *                 └────────────── room for another ◀─────────┘
 * </pre>
 *
 * <p>Threading: safe. One thread at a time gathers and sends; the others leave their commit and go.
 */
public final class Committer implements AutoCloseable {

  /**
   * One round trip. Completes with one outcome per commit, in order, or fails as a whole, or with {@link PartlyDone}. Must not block.
   */
  @FunctionalInterface
  public interface Sender {
    CompletionStage<List<Outcome>> send(List<Commit> batch);

    /**
     * The same, to be complete by an instant: the deadline of the oldest commit of the batch.
     *
     * @param deadline on the committer's stopwatch; only with {@link Committer#patience(Duration)}
     */
    default CompletionStage<List<Outcome>> send(List<Commit> batch, long deadline) {
      return send(batch);
    }
  }

  /**
   * A batch of which a part has an outcome, while the rest failed.
   */
  public static final class PartlyDone extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient List<Optional<Outcome>> outcomes;
    private final StoreException otherwise;

    /**
     * @param outcomes one per commit of the batch, in order; empty for those that failed
     * @param otherwise why, which must be true of each of them
     */
    public PartlyDone(List<Optional<Outcome>> outcomes, StoreException otherwise) {
      super(otherwise.getMessage(), otherwise, false, false);
      this.outcomes = List.copyOf(outcomes);
      this.otherwise = otherwise;
    }

    public List<Optional<Outcome>> outcomes() {
      return outcomes;
    }

    public StoreException otherwise() {
      return otherwise;
    }
  }

  /** @param deadline by when the caller has an outcome, if there is any */
  private record Waiting(
      Commit commit, long bytes, CompletableFuture<Outcome> caller, long deadline) {}

  private final BatchRule rule;
  private final Sender sender;
  private final Time time;
  private final CommitObserver observer;
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
  private final KeysAway keysAway = new KeysAway();
  private final AtomicInteger pumpsWanted = new AtomicInteger();
  private long patience = Long.MAX_VALUE;
  private long waitingBytes;
  private int batchesAway;
  private boolean closed;

  /** One that nobody observes. */
  public Committer(BatchRule rule, Sender sender) {
    this(rule, sender, Time.system(), CommitObserver.NONE);
  }

  /**
   * A committer without commits.
   *
   * @param time what the observer is told is measured by it
   */
  public Committer(BatchRule rule, Sender sender, Time time, CommitObserver observer) {
    this.rule = rule;
    this.sender = sender;
    this.time = time;
    this.observer = observer;
  }

  /**
   * From now on a commit that waits for longer fails as unavailable, and the sender hears by when a batch must be complete.
   * No timer is needed: whoever waits does so behind batches whose deadlines are earlier than its own, and is looked at when
   * one of them completes.
   */
  public Committer patience(Duration most) {
    patience = most.toNanos();
    return this;
  }

  public CompletionStage<Outcome> commit(Commit commit) {
    var caller = new CompletableFuture<Outcome>();
    long deadline = hasPatience() ? time.nanos() + patience : 0;
    StoreException refusal = enqueue(new Waiting(commit, commit.bytes(), caller, deadline));
    if (refusal != null) {
      caller.completeExceptionally(refusal);
    } else {
      pump();
    }
    return caller;
  }

  /** What waits is refused as closed. Batches that are away are the sender's to complete. Safe twice. */
  @Override
  public void close() {
    List<Waiting> refused;
    synchronized (this) {
      closed = true;
      refused = List.copyOf(waiting);
      waiting.clear();
      waitingBytes = 0;
    }
    refused.forEach(one -> one.caller.completeExceptionally(new StoreException.Closed()));
  }

  private synchronized @Nullable StoreException enqueue(Waiting one) {
    if (closed) {
      return new StoreException.Closed();
    }
    if (waiting.size() >= Limits.WAITING_MAX) {
      return new StoreException.Overloaded(
          "At most " + Limits.WAITING_MAX + " commits may wait for the store, so that"
              + " memory stays bounded, and that many do. Try again later, or submit more slowly.");
    }
    if (waitingBytes + one.bytes > Limits.WAITING_BYTES_MAX) {
      return new StoreException.Overloaded("Commits of at most " + Limits.WAITING_BYTES_MAX
          + " bytes may wait for the store, so that memory stays bounded, and "
          + waitingBytes + " do. Try again later, or submit less at once.");
    }
    waiting.add(one);
    waitingBytes += one.bytes;
    return null;
  }

  /** Sends batches until none fits. A pump wanted meanwhile is done by the thread that is at it: no recursion, no lock. */
  private void pump() {
    if (pumpsWanted.getAndIncrement() != 0) {
      return;
    }
    int done = 1;
    do {
      expire();
      for (List<Waiting> batch = gather(); !batch.isEmpty(); batch = gather()) {
        send(batch);
      }
      done = pumpsWanted.addAndGet(-done);
    } while (done != 0);
  }

  private boolean hasPatience() {
    return patience != Long.MAX_VALUE;
  }

  /** Deadlines are in the order of the queue, so that only its head is looked at. */
  private void expire() {
    if (!hasPatience()) {
      return;
    }
    var overdue = new ArrayList<Waiting>(0);
    synchronized (this) {
      if (waiting.isEmpty()) {
        return;
      }
      long now = time.nanos();
      while (!waiting.isEmpty() && now - waiting.getFirst().deadline >= 0) {
        overdue.add(taken(waiting.removeFirst()));
      }
    }
    overdue.forEach(one -> one.caller.completeExceptionally(new StoreException.Unavailable(
        "The commit waited for its turn for " + Duration.ofNanos(patience).toMillis()
            + " ms, behind others that the engine did not take in time. Try again later.",
        null)));
  }

  private void send(List<Waiting> batch) {
    long sent = now();
    CompletionStage<List<Outcome>> reply;
    try {
      List<Commit> commits = batch.stream().map(Waiting::commit).toList();
      reply =
          hasPatience() ? sender.send(commits, batch.getFirst().deadline) : sender.send(commits);
    } catch (RuntimeException
        | Error e) { // or the batch would be away for ever, and with it the pump
      reply = CompletableFuture.failedStage(e);
    }
    var unused = reply.whenComplete((outcomes, failure) -> {
      release(batch);
      complete(batch, outcomes, failure);
      pump();
      observer.batch(batch.size(), now() - sent, failure == null);
    });
  }

  /** Nobody needs to know it where nobody observes. */
  private long now() {
    return observer.equals(CommitObserver.NONE) ? 0 : time.nanos();
  }

  private synchronized List<Waiting> gather() {
    if (waiting.isEmpty()
        || batchesAway >= rule.batchesAwayMax()
        || (batchesAway > 0 && waiting.size() < rule.enough())) {
      return List.of();
    }
    List<Waiting> batch = rule.disjoint() ? gatherDisjoint() : gatherInOrder();
    if (!batch.isEmpty()) {
      batchesAway++;
    }
    return batch;
  }

  private List<Waiting> gatherInOrder() {
    var batch = new ArrayList<Waiting>();
    BatchRule.Load load = BatchRule.Load.EMPTY;
    while (!waiting.isEmpty()) {
      BatchRule.Load heavier = load.plus(waiting.getFirst().commit, waiting.getFirst().bytes);
      if (!batch.isEmpty() && !rule.fits(heavier)) {
        break;
      }
      load = heavier;
      batch.add(taken(waiting.removeFirst()));
    }
    return batch;
  }

  /**
   * Passes over commits that touch what is away or what an earlier one waits for, so that one busy key does not hold up
   * the rest and yet nobody overtakes on a key.
   */
  private List<Waiting> gatherDisjoint() {
    var batch = new ArrayList<Waiting>();
    var passedOver = new ArrayDeque<Waiting>();
    var keysPassedOver = new KeysAway();
    BatchRule.Load load = BatchRule.Load.EMPTY;
    for (int looks = 4 * rule.commitsMax(); looks > 0 && !waiting.isEmpty(); looks--) {
      Waiting one = waiting.getFirst();
      BatchRule.Load heavier = load.plus(one.commit, one.bytes);
      if (keysAway.clash(one.commit) || keysPassedOver.clash(one.commit)) {
        keysPassedOver.add(one.commit);
        passedOver.push(waiting.removeFirst());
      } else if (batch.isEmpty() || rule.fits(heavier)) {
        load = heavier;
        keysAway.add(one.commit);
        batch.add(taken(waiting.removeFirst()));
      } else {
        break;
      }
    }
    passedOver.forEach(waiting::addFirst);
    return batch;
  }

  private Waiting taken(Waiting one) {
    waitingBytes -= one.bytes;
    return one;
  }

  private synchronized void release(List<Waiting> batch) {
    batchesAway--;
    if (rule.disjoint()) {
      batch.forEach(one -> keysAway.remove(one.commit));
    }
  }

  private static void complete(
      List<Waiting> batch, @Nullable List<Outcome> outcomes, @Nullable Throwable failure) {
    if (failure == null && outcomes != null && outcomes.size() == batch.size()) {
      for (int i = 0; i < batch.size(); i++) {
        batch.get(i).caller.complete(outcomes.get(i));
      }
      return;
    }
    if (unwrapped(failure) instanceof PartlyDone partly && partly.outcomes.size() == batch.size()) {
      for (int i = 0; i < batch.size(); i++) {
        CompletableFuture<Outcome> caller = batch.get(i).caller;
        partly
            .outcomes
            .get(i)
            .ifPresentOrElse(
                caller::complete, () -> caller.completeExceptionally(partly.otherwise));
      }
      return;
    }
    StoreException why = asStoreException(failure);
    batch.forEach(one -> one.caller.completeExceptionally(why));
  }

  private static @Nullable Throwable unwrapped(@Nullable Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  private static StoreException asStoreException(@Nullable Throwable failure) {
    Throwable cause = unwrapped(failure);
    return cause instanceof StoreException known
        ? known
        : new StoreException.Unknown(
            "The adapter failed while a batch was away, so what became of it is not known.", cause);
  }
}
