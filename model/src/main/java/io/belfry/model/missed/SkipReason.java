package io.belfry.model.missed;

/** Why a due instant or a waiting task was skipped. Recorded for every skip. */
public enum SkipReason {
  OVERLAP("the previous task of the job had not finished"),
  QUEUE_FULL("too many tasks of the job were already waiting for the previous one"),
  PENDING_FULL("the namespace already had its maximum number of waiting tasks (pendingMax)"),
  DISABLED("the job was disabled"),
  CALENDAR("the calendar excludes this day"),
  MISSED("it was missed, and the job does not catch up missed fires"),
  SUPERSEDED("it was missed, and a later fire replaces it"),
  TOO_OLD("it was missed for longer than the job's maxAge"),
  TOO_MANY("more instants were missed than the job's maxCount"),
  ID_TAKEN("an unfinished task of a deleted job with the same id already has this task id"),
  CHANGED("the job was changed before this fire started, and its new schedule does not include it");

  private final String sentence;

  SkipReason(String sentence) {
    this.sentence = sentence;
  }

  /** For people: completes "skipped, because …". */
  public String sentence() {
    return sentence;
  }
}
