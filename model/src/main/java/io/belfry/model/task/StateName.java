package io.belfry.model.task;

import io.belfry.model.WireName;
import java.util.List;
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

  /** What other schedulers call it. */
  public List<String> aliases() {
    return switch (this) {
      case PENDING -> List.of("created");
      case ASSIGNED -> List.of("queued", "scheduled");
      case SUCCEEDED -> List.of("success", "completed");
      case CANCELLED -> List.of("canceled");
      case RETRYING, RUNNING, FAILED, SKIPPED -> List.of();
    };
  }

  /** Reads our words, and those of other schedulers; the refusal lists ours. */
  public static StateName parse(String text) {
    String word = text.strip().toLowerCase(Locale.ROOT);
    for (StateName state : values()) {
      if (state.aliases().contains(word)) {
        return state;
      }
    }
    return WireName.parse(StateName.class, "state", text);
  }
}
