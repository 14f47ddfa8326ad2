package io.belfry.core.record;

import io.belfry.model.job.Work;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;

/**
 * The result of a submission with an idempotency key, or with an id that the caller chose.
 *
 * @param content hash that tells a repetition from another submission with the same key
 * @param until when it expires, in milliseconds, like its expiry key; 0 if it is deleted with any expiry key
 */
public record DedupRecord(TaskId task, long content, long until) {

  /** A record that certainly has a single expiry key. */
  public DedupRecord(TaskId task, long content) {
    this(task, content, 0);
  }

  public static DedupRecord of(Task task) {
    return of(task.id(), task.work());
  }

  /** For a task whose submission is compared with others by this work. */
  public static DedupRecord of(TaskId task, Work asked) {
    // The scheduled instant is left out: "in five minutes" means another one each time. So is
    // whether the payload is kept uncompressed, which does not change the work.
    byte[] work = Records.encode(asked.withPayload(asked.payload().compressible()));
    long hash = 0xcbf29ce484222325L;
    for (byte b : work) {
      hash = (hash ^ b) * 0x100000001b3L;
    }
    return new DedupRecord(task, hash & Long.MAX_VALUE);
  }
}
