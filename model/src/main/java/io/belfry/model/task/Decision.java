package io.belfry.model.task;

import java.util.List;

/** The result of a command: events to commit together, or the reason for a refusal. */
public sealed interface Decision {

  /** Usually one event. A short task reports start and end together. */
  record Accepted(List<Event> events) implements Decision {
    public Accepted {
      events = List.copyOf(events);
    }
  }

  record Refused(Reason reason) implements Decision {}

  enum Reason {
    NOT_DUE("the task is not due yet"),
    ALREADY_ASSIGNED("the task is assigned to a worker"),
    ALREADY_RUNNING(
        "this attempt has already started; this is how a repeated start report is recognized"),
    ALREADY_TRIED("the task has had attempts, and only a task without attempts can be skipped"),
    ALREADY_FINAL("the task has ended, and a final state never changes"),
    CANCEL_REQUESTED(
        "cancellation was already requested; repeating the request changes nothing, and no attempt starts any more"),
    NOT_OVERDUE("the timeout has not passed"),
    STALE_TOKEN("a newer attempt exists; a late report is published as rejected and never applied"),
    UNKNOWN_TOKEN("this copy of the task is older than the report and must be read again");

    private final String meaning;

    Reason(String meaning) {
      this.meaning = meaning;
    }

    public String meaning() {
      return meaning;
    }
  }
}
