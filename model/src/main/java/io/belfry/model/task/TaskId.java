package io.belfry.model.task;

import io.belfry.model.Check;
import io.belfry.model.InvalidException;
import io.belfry.model.job.JobId;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The id of a task. Its form shows the origin of the task. A task id has exactly one spelling, because creating
 * a task is guarded by the absence of that key.
 */
public sealed interface TaskId {

  /**
   * A fire of a job: {@code nightly@2027-01-01T00:00:00Z}. Two leaders that fire the same instant use the same id,
   * so that only one of them can create the task.
   */
  record Fire(JobId job, Instant at) implements TaskId {
    private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999Z");

    public Fire {
      Check.that(
          !at.isBefore(FIRST) && !at.isAfter(LAST) && at.equals(at.truncatedTo(ChronoUnit.MILLIS)),
          "task.at",
          at,
          "must be whole milliseconds within the years 0000 to 9999, because the instant is part of the task id",
          "Round the instant.");
    }

    @Override
    public String toString() {
      return job.value() + "@" + at;
    }
  }

  /** A job triggered manually or by the end of another job's task: {@code nightly!01h455vb4pex5vsknk084sn02q}. Each trigger is a new task. */
  record Triggered(JobId job, String fresh) implements TaskId {
    public Triggered {
      if (!Ulid.isOne(fresh)) {
        throw malformed(job + "!" + fresh);
      }
    }

    @Override
    public String toString() {
      return job.value() + "!" + fresh;
    }
  }

  /** A one-off task, under the caller's own id or a generated one. */
  record OneOff(String value) implements TaskId {
    private static final int CHARS_MAX = 128;

    public OneOff {
      boolean plain = !value.isEmpty()
          && value.length() <= CHARS_MAX
          && value.charAt(0) != '.'
          && isPlain(value);
      if (!plain) {
        throw malformed(value);
      }
    }

    private static boolean isPlain(String value) {
      for (int i = 0; i < value.length(); i++) {
        if (!isPlain(value.charAt(i))) {
          return false;
        }
      }
      return true;
    }

    private static boolean isPlain(char c) {
      return (c >= 'a' && c <= 'z')
          || (c >= 'A' && c <= 'Z')
          || (c >= '0' && c <= '9')
          || ".-_".indexOf(c) >= 0;
    }

    @Override
    public String toString() {
      return value;
    }
  }

  static TaskId fire(JobId job, Instant at) {
    return new Fire(job, at);
  }

  static TaskId triggered(JobId job, Instant now, RandomGenerator random) {
    return new Triggered(job, Ulid.make(now, random));
  }

  /**
   * The id of the task that follows another job's task. Deterministic, so that creating it again has no effect.
   *
   * @param ended when the predecessor ended
   */
  static TaskId following(JobId job, TaskId predecessor, Instant ended) {
    return new Triggered(job, Ulid.named(ended, job + " after " + predecessor));
  }

  static TaskId oneOff(Instant now, RandomGenerator random) {
    return new OneOff(Ulid.make(now, random));
  }

  /** Parses exactly what {@code toString} wrote. Another spelling of the same instant is refused. */
  static TaskId parse(String text) {
    int at = text.indexOf('@');
    if (at >= 0) {
      return new Fire(new JobId(text.substring(0, at)), instant(text, text.substring(at + 1)));
    }
    int bang = text.indexOf('!');
    return bang >= 0
        ? new Triggered(new JobId(text.substring(0, bang)), text.substring(bang + 1))
        : new OneOff(text);
  }

  /** The job of the task, if it has one. */
  default Optional<JobId> jobId() {
    return switch (this) {
      case Fire fire -> Optional.of(fire.job);
      case Triggered triggered -> Optional.of(triggered.job);
      case OneOff unused -> Optional.empty();
    };
  }

  default boolean isFire() {
    return this instanceof Fire;
  }

  /** The instant that the id contains: the scheduled one for a fire, the creation for a generated id. */
  default Optional<Instant> instant() {
    return switch (this) {
      case Fire fire -> Optional.of(fire.at);
      case Triggered triggered -> Optional.of(Ulid.time(triggered.fresh));
      case OneOff own -> Optional.of(own.value).filter(Ulid::isOne).map(Ulid::time);
    };
  }

  private static Instant instant(String id, String text) {
    try {
      Instant at = Instant.parse(text);
      if (at.toString().equals(text)) {
        return at;
      }
    } catch (DateTimeException e) {
      // Falls through to the refusal, which shows the whole id; the parser's position would count
      // from the '@'.
    }
    throw malformed(id);
  }

  private static InvalidException malformed(String text) {
    return Check.refusal(
        "task",
        text,
        "must be job@instant in UTC in its shortest form, job! and a generated id, or up to 128 letters, digits,"
            + " '.', '_' and '-', because a task id has one spelling",
        "Use the id as Belfry shows it, such as nightly@2027-01-01T00:00:00Z.");
  }
}
