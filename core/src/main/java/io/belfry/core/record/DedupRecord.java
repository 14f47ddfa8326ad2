package io.belfry.core.record;

import io.belfry.model.job.Work;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;

/**
 * What a caller's key, or an id that a caller chose, has led to.
 *
 * @param content tells the same submission from another one under the same key
 * @param until when it may be forgotten, in milliseconds: its expiry key has the same; 0 where it is forgotten with any expiry key
 */
public record DedupRecord(TaskId task, long content, long until) {

  /** One that has a single expiry key for certain. */
  public DedupRecord(TaskId task, long content) {
    this(task, content, 0);
  }

  public static DedupRecord of(Task task) {
    return of(task.id(), task.work());
  }

  /** Of a task whose submission is told from others by what was asked for. */
  public static DedupRecord of(TaskId task, Work asked) {
    // The instant is left out: "in five minutes" says another one each time.
    // So is whether the payload is to be kept plain: that says nothing of what is to be done.
    byte[] work = Records.encode(asked.withPayload(asked.payload().compressible()));
    long hash = 0xcbf29ce484222325L;
    for (byte b : work) {
      hash = (hash ^ b) * 0x100000001b3L;
    }
    return new DedupRecord(task, hash & Long.MAX_VALUE);
  }
}
