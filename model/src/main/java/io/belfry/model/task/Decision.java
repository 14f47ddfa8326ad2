package io.belfry.model.task;

import java.util.List;

/** The answer to a command: events to record together, or the reason why nothing changes. */
public sealed interface Decision {

  /** Usually one event; a short task reports start and end at once. */
  record Accepted(List<Event> events) implements Decision {
    public Accepted {
      events = List.copyOf(events);
    }
  }

  record Refused(Reason reason) implements Decision {}

  enum Reason {
    NOT_DUE("its time has not come"),
    ALREADY_ASSIGNED("a worker has it"),
    ALREADY_RUNNING(
        "this attempt has already begun; a start that is sent twice is recognised by this"),
    ALREADY_TRIED("there are attempts behind it, and skipped means never tried"),
    ALREADY_FINAL("it is over, and stays so"),
    CANCEL_REQUESTED(
        "somebody asked for it to end; asking again changes nothing, and it is not begun any more"),
    NOT_OVERDUE("the timeout has not passed"),
    STALE_TOKEN(
        "another attempt has been made since; a late report is told as rejected and never applied"),
    UNKNOWN_TOKEN("no such attempt is known here: whoever decides is behind and must read again");

    private final String meaning;

    Reason(String meaning) {
      this.meaning = meaning;
    }

    public String meaning() {
      return meaning;
    }
  }
}
