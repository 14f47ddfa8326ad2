package io.belfry.model.task;

import io.belfry.model.Word;
import java.util.Locale;

/** The states as the API shows and filters them: those of {@link TaskState}, and retrying. */
public enum StateName {
  PENDING("waits for its time or for a worker"),
  RETRYING("waits to be tried again; stored as pending, with failed or lost attempts behind it"),
  ASSIGNED("given to a worker, which has not said that it began"),
  RUNNING("the code has begun"),
  SUCCEEDED("ended well"),
  FAILED("ended badly, and will not be tried again"),
  CANCELLED("ended because somebody asked for it"),
  SKIPPED("never tried, for a recorded reason");

  private final String meaning;

  StateName(String meaning) {
    this.meaning = meaning;
  }

  public String meaning() {
    return meaning;
  }

  /** Reads our words, and those that people know from other schedulers. */
  public static StateName parse(String text) {
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "created" -> PENDING; // acknowledged
      case "queued", "scheduled" -> ASSIGNED;
      case "success", "completed" -> SUCCEEDED;
      case "canceled" -> CANCELLED;
      default -> Word.parse(StateName.class, "state", text);
    };
  }
}
