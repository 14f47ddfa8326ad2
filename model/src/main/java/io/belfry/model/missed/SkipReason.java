package io.belfry.model.missed;

/** Why a due instant or a waiting task was not carried out. Always recorded, never silent. */
public enum SkipReason {
  OVERLAP("the previous task of the job had not finished"),
  QUEUE_FULL("too many tasks of the job were already waiting for the previous one"),
  PENDING_FULL("as many tasks waited in the namespace as may wait (pendingMax)"),
  DISABLED("the job was disabled"),
  CALENDAR("the calendar excludes this day"),
  MISSED("it was missed, and the job makes up for nothing"),
  SUPERSEDED("it was missed, and a later instant stands for it"),
  TOO_OLD("it was missed for longer than the job's maxAge"),
  TOO_MANY("more instants were missed than the job's maxCount"),
  ID_TAKEN("a task of a deleted job with the same id had not finished, and has the id of this one"),
  CHANGED("the job was changed before it was started, and the new times no longer have it");

  private final String sentence;

  SkipReason(String sentence) {
    this.sentence = sentence;
  }

  /** For people: completes "skipped, because …". */
  public String sentence() {
    return sentence;
  }
}
