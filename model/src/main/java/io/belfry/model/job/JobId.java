package io.belfry.model.job;

import io.belfry.model.Check;

/** The id of a job: {@code [a-z0-9][a-z0-9._-]{0,127}}. Part of keys, URLs and the ids of the job's tasks. */
public record JobId(String value) implements Comparable<JobId> {
  public static final int MAX_CHARS = 128;

  public JobId {
    Check.name("id", value, MAX_CHARS);
  }

  @Override
  public int compareTo(JobId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
