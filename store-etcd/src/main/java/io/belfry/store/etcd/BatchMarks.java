package io.belfry.store.etcd;

import com.google.protobuf.ByteString;
import io.belfry.store.etcd.Calls.Repeat;
import io.belfry.store.etcd.proto.KVGrpc;
import io.belfry.store.etcd.proto.KeyValue;
import io.belfry.store.etcd.proto.TxnRequest;
import io.belfry.store.etcd.proto.TxnResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Finds out whether etcd applied a batch that it answered with "no space".
 *
 * <p>etcd compares its size with the quota before it proposes a transaction, and once more when it applies it. The second time is too late to
 * refuse anything: all members apply what stands in the log, and yet the answer says that there is no space. From the answer alone the two cannot be
 * told apart. After either of them nothing changes any more, so the data set itself can be asked.
 *
 * <pre>
 *   batch:  tip = mark 17   every batch writes a mark of its own to the tip, in its one step
 *   no space? read the tip, then the value before it, and so on back to what was seen before the batch was sent
 *              mark 17 among them: applied       not among them: never applied       too many of them, no answer: not known
 * </pre>
 *
 * <p>Threading: safe.
 */
final class BatchMarks {
  /** Batches of all clients since this client last saw the data set: what is refused for want of space leaves no mark. */
  private static final int STEPS_MAX = 32;

  /** What became of a batch. */
  enum Fate {
    APPLIED,
    /** And never will be. */
    NOT_APPLIED,
    NOT_KNOWN
  }

  /**
   * A batch that is to be sent.
   *
   * @param seen the latest etcd revision that was seen before it was sent: it can only be applied later
   */
  record Mark(EtcdEpoch era, long seen, long number) {
    ByteString value() {
      return ByteString.copyFrom(ByteBuffer.allocate(Long.BYTES).putLong(0, number));
    }
  }

  private final Calls calls;
  private final EpochGuard eras;
  private final LongSupplier numbers;

  /** @param numbers no two of which are the same, of all clients of the data set */
  BatchMarks(Calls calls, EpochGuard eras, LongSupplier numbers) {
    this.calls = calls;
    this.eras = eras;
    this.numbers = numbers;
  }

  Mark next(EtcdEpoch era) {
    return new Mark(era, era.seen(), numbers.getAsLong());
  }

  /**
   * After etcd has answered the batch, whatever it said.
   *
   * @param left for each question
   */
  CompletableFuture<Fate> fate(Mark batch, Supplier<Duration> left) {
    return look(batch, 0, 1, left).exceptionally(notAnswered -> Fate.NOT_KNOWN);
  }

  /** @param before look at the tip as it was at this revision; 0: as it is */
  private CompletableFuture<Fate> look(Mark batch, long before, int step, Supplier<Duration> left) {
    TxnRequest.Builder question = TxnRequest.newBuilder().addSuccess(eras.readTip(before));
    eras.compare(batch.era, question);
    return calls
        .ask(KVGrpc.getTxnMethod(), question.build(), Repeat.FREELY, left.get())
        .thenCompose(answer -> judged(batch, answer, step, left));
  }

  private CompletableFuture<Fate> judged(
      Mark batch, TxnResponse answer, int step, Supplier<Duration> left) {
    if (!answer.getSucceeded() || answer.getHeader().getClusterId() != batch.era.cluster()) {
      return CompletableFuture.completedFuture(Fate.NOT_KNOWN); // the data set is another now
    }
    if (answer.getResponses(0).getResponseRange().getKvsCount() == 0) {
      return CompletableFuture.completedFuture(Fate.NOT_APPLIED);
    }
    KeyValue tip = answer.getResponses(0).getResponseRange().getKvs(0);
    batch.era.saw(tip.getModRevision());
    if (tip.getValue().equals(batch.value())) {
      return CompletableFuture.completedFuture(Fate.APPLIED);
    }
    if (tip.getModRevision() <= batch.seen) {
      return CompletableFuture.completedFuture(Fate.NOT_APPLIED);
    }
    return step == STEPS_MAX
        ? CompletableFuture.completedFuture(Fate.NOT_KNOWN)
        : look(batch, tip.getModRevision() - 1, step + 1, left);
  }
}
