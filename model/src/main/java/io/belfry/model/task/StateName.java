package io.belfry.model.task;

import io.belfry.model.WireName;
import java.util.List;
import java.util.Locale;

/** The states that the API shows and filters by: those of {@link TaskState}, and retrying. */
public enum StateName {
  PENDING("waits for its due time or for a worker"),
  RETRYING("waits for a retry; stored as pending, with failed or lost attempts in its history"),
  ASSIGNED("assigned to a worker, which has not reported a start"),
  RUNNING("the code has started"),
  SUCCEEDED("the last attempt succeeded"),
  FAILED("the last attempt failed, and there are no more retries"),
  CANCELLED("cancelled on request"),
  SKIPPED("never attempted; the reason is recorded");

  private final String meaning;

  StateName(String meaning) {
    this.meaning = meaning;
  }

  public String meaning() {
    return meaning;
  }

  /** The names that other schedulers use for this state. */
  public List<String> aliases() {
    return switch (this) {
      case PENDING -> List.of("created");
      case ASSIGNED -> List.of("queued", "scheduled");
      case SUCCEEDED -> List.of("success", "completed");
      case CANCELLED -> List.of("canceled");
      case RETRYING, RUNNING, FAILED, SKIPPED -> List.of();
    };
  }

  /** Parses Belfry's names and those of other schedulers. The refusal lists Belfry's. */
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
