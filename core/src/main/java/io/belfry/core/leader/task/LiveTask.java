package io.belfry.core.leader.task;

import io.belfry.core.dispatch.Admission;
import io.belfry.core.dispatch.Reservation;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskState;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An unfinished task as the leader knows it. Everybody may read it; only {@link TaskTable} changes it.
 *
 * <pre>
 *                    ┌──offer──▶ Offered ──claimed, withdrawn──┐
 *   Creating ──▶ Stored ◀───────────────────────────────────────┘
 *                    └──write, read──▶ Writing ──answered──▶ Stored, Offered or ended
 * </pre>
 *
 * <p>Threading: confined to the leader's loop.
 */
public final class LiveTask {

  /** Who may touch the record of the task. */
  sealed interface Phase permits Stored, Offered, Busy {}

  /** The record is in the store, and no write of the leader is in flight. */
  record Stored() implements Phase {}

  /**
   * The same, and workers may claim the task.
   *
   * @param admission what is reserved for the task at the dispatcher
   */
  record Offered(Admission<LiveTask> admission) implements Phase {}

  /** A commit or a read of the leader over the record is in flight: no other part touches it. */
  sealed interface Busy extends Phase permits Writing, Creating {
    Meanwhile meanwhile();

    Busy with(Meanwhile meanwhile);
  }

  /**
   * The record may be changed.
   *
   * @param admission of an offer that is not withdrawn yet
   */
  record Writing(Optional<Admission<LiveTask>> admission, Meanwhile meanwhile) implements Busy {
    @Override
    public Writing with(Meanwhile now) {
      return new Writing(admission, now);
    }
  }

  /** The record does not exist yet. */
  record Creating(Creation creation, Meanwhile meanwhile) implements Busy {
    @Override
    public Creating with(Meanwhile now) {
      return new Creating(creation, now);
    }
  }

  /**
   * What was observed while a commit or a read was in flight.
   *
   * @param missedByScan a scan did not find the task: it may have ended, and is read afterwards
   */
  record Meanwhile(boolean missedByScan, Optional<Newer> newer) {
    static final Meanwhile NOTHING = new Meanwhile(false, Optional.empty());
  }

  /**
   * A newer record.
   *
   * @param whole whether it has everything, and not only what a worker reports
   */
  record Newer(Task task, long revision, boolean whole) {}

  private static final Stored STORED = new Stored();
  private static final Writing WRITING = new Writing(Optional.empty(), Meanwhile.NOTHING);

  private Phase phase = STORED;
  private Task task;
  private long revision;
  private boolean withoutPayload;
  private long heldSinceNanos;
  private int missedHeartbeats;
  private Optional<CancelRequested> cancel = Optional.empty();
  /** What it takes up at its worker, while it is held. */
  @Nullable
  Reservation hold;
  /** What its body takes of the budget, while it is kept whole. */
  long weight;
  /** What its work takes beyond the budget, while it is not kept whole. */
  long weightBeyond;
  /** The scan that has seen it last. */
  long seenInScan;
  /** The round of the reconciler that has seen it last. */
  long seenInRound;

  LiveTask(Task task, long revision) {
    this.task = task;
    this.revision = revision;
  }

  public TaskId id() {
    return task.id();
  }

  public Task task() {
    return task;
  }

  public long revision() {
    return revision;
  }

  /** Whether no commit and no read of the leader over the record is in flight. */
  public boolean isFree() {
    return !(phase instanceof Busy);
  }

  /** Whether the leader does not keep the payload, or more: before the task is written or sent, the whole of it is read. */
  public boolean isWithoutPayload() {
    return withoutPayload;
  }

  public boolean isPending() {
    return task.state() instanceof TaskState.Pending;
  }

  public Optional<String> holder() {
    return task.state() instanceof TaskState.Held held
        ? Optional.of(held.attempt().worker())
        : Optional.empty();
  }

  public boolean isOffered() {
    return phase instanceof Offered
        || (phase instanceof Writing writing && writing.admission.isPresent());
  }

  /** What is reserved for an offered task. */
  public Admission<LiveTask> admission() {
    return offer().orElseThrow(() -> new IllegalStateException("not offered: " + task));
  }

  Optional<Admission<LiveTask>> offer() {
    return switch (phase) {
      case Offered(var admission) -> Optional.of(admission);
      case Writing writing -> writing.admission;
      case Stored unused -> Optional.empty();
      case Creating unused -> Optional.empty();
    };
  }

  /** What belongs into the commit that creates the record; null if it exists. */
  public @Nullable Creation creation() {
    return phase instanceof Creating creating ? creating.creation : null;
  }

  /** A request to end it that has not been carried out. */
  public Optional<CancelRequested> cancel() {
    return cancel;
  }

  /** By the stopwatch of this leader: since when the task is known to be held in this attempt, or its code to run. */
  public long heldSinceNanos() {
    return heldSinceNanos;
  }

  /** Heartbeats of its worker in a row that did not name its token. */
  public int missedHeartbeats() {
    return missedHeartbeats;
  }

  public long seenInRound() {
    return seenInRound;
  }

  /** The task with a reported state, of which only that and what changed with it is known. */
  Task as(TaskState.Held held, Task reported) {
    return task.with(held, reported.cancel(), reported.history());
  }

  // From here on: what the table and its parts change.

  void record(Task now, long at) {
    task = now;
    revision = at;
  }

  void revision(long at) {
    revision = at;
  }

  void body(Task lighter) {
    task = lighter;
  }

  void withoutPayload(boolean is) {
    withoutPayload = is;
  }

  void heldSince(long nanos) {
    heldSinceNanos = nanos;
  }

  void missedHeartbeats(int count) {
    missedHeartbeats = count;
  }

  /** The newer of two requests counts. */
  void cancel(CancelRequested asked) {
    if (cancel.isEmpty() || asked.isNewerThan(cancel.get())) {
      cancel = Optional.of(asked);
    }
  }

  void create(Creation creation) {
    phase = new Creating(creation, Meanwhile.NOTHING);
  }

  void beginWrite() {
    phase = switch (phase) {
      case Stored unused -> WRITING;
      case Offered(var admission) -> new Writing(Optional.of(admission), Meanwhile.NOTHING);
      case Writing writing -> writing; // its owner goes on with it
      case Creating creating -> creating;
    };
  }

  /** No commit and no read is in flight any more. */
  Meanwhile endWrite() {
    if (!(phase instanceof Busy busy)) {
      return Meanwhile.NOTHING;
    }
    Optional<Admission<LiveTask>> offer = offer();
    phase = offer.isPresent() ? new Offered(offer.get()) : STORED;
    return busy.meanwhile();
  }

  void offer(Admission<LiveTask> admission) {
    phase = new Offered(admission);
  }

  /** The offer is void. */
  void endOffer() {
    phase = phase instanceof Writing writing
        ? new Writing(Optional.empty(), writing.meanwhile)
        : STORED;
  }

  /** Keeps what was observed until the write that is in flight is answered. */
  void observe(Task newer, long at, boolean whole) {
    if (phase instanceof Busy busy
        && busy.meanwhile().newer.filter(known -> known.revision >= at).isEmpty()) {
      phase = busy.with(
          new Meanwhile(busy.meanwhile().missedByScan, Optional.of(new Newer(newer, at, whole))));
    }
  }

  void missedByScan(boolean is) {
    if (phase instanceof Busy busy && busy.meanwhile().missedByScan != is) {
      phase = busy.with(new Meanwhile(is, busy.meanwhile().newer));
    }
  }
}
