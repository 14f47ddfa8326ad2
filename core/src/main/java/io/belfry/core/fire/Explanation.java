package io.belfry.core.fire;

import io.belfry.model.Durations;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Trigger;
import io.belfry.model.missed.SkippedRange;
import io.belfry.model.task.StateName;
import io.belfry.model.task.TaskId;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;

/** Why a job did, did not, or will not fire at an instant. */
public sealed interface Explanation {

  /** For people. */
  String sentence();

  /**
   * There is a task of that instant.
   *
   * @param waits why it cannot start, if no worker may take it
   */
  record Fired(TaskId task, StateName state, Optional<String> waits) implements Explanation {
    public Fired(TaskId task, StateName state) {
      this(task, state, Optional.empty());
    }

    @Override
    public String sentence() {
      return "It fired: task " + task + " is " + state.name().toLowerCase(Locale.ROOT) + "."
          + waits.map(why -> " It waits: " + why + ".").orElse("");
    }
  }

  /** It was due and not fired, and that was recorded, for this instant or for a row of them. */
  record Skipped(SkippedRange range) implements Explanation {
    @Override
    public String sentence() {
      String row = range.count() == 1
          ? ""
          : " So were all from " + range.from() + " to " + range.to() + ", "
              + (range.exact() ? "" : "at least ") + range.count() + " together.";
      return "It was skipped, because " + range.reason().sentence() + "." + row;
    }
  }

  /** There is no such job. */
  record NoJob(JobId job) implements Explanation {
    @Override
    public String sentence() {
      return "There is no job " + job + ", and no task or skip of it at that instant is kept.";
    }
  }

  /** The trigger has no such instant. */
  record NotAFireTime(Optional<Instant> before, Optional<Instant> after) implements Explanation {
    @Override
    public String sentence() {
      return "Its trigger does not have that instant. The one before is "
          + before.map(Instant::toString).orElse("none") + ", the one after "
          + after.map(Instant::toString).orElse("none") + ".";
    }
  }

  record BeforeStart(Instant start) implements Explanation {
    @Override
    public String sentence() {
      return "Its trigger holds from " + start + " on only, which is later.";
    }
  }

  record AfterEnd(Instant end) implements Explanation {
    @Override
    public String sentence() {
      return "Its trigger held before " + end + " only.";
    }
  }

  record Excluded(String calendar, LocalDate day) implements Explanation {
    @Override
    public String sentence() {
      DayOfWeek weekday = day.getDayOfWeek();
      return "Its calendar " + calendar + " excludes that day, "
          + weekday.name().charAt(0) + weekday.name().substring(1).toLowerCase(Locale.ROOT) + " "
          + day + ".";
    }
  }

  record Disabled() implements Explanation {
    @Override
    public String sentence() {
      return "The job is disabled: nothing of it is due.";
    }
  }

  /** It has no outcome yet, and gets none before the namespace goes on. */
  record Paused(String reason) implements Explanation {
    @Override
    public String sentence() {
      return "The namespace is paused" + (reason.isEmpty() ? "" : " (" + reason + ")")
          + ". When it goes on, the job's rule for missed fires decides.";
    }
  }

  record NotYetDue(Instant at, Duration in) implements Explanation {
    @Override
    public String sentence() {
      return "It is not due yet: its time is " + at + ", in "
          + Durations.show(in.truncatedTo(ChronoUnit.SECONDS)) + ".";
    }
  }

  /** Its time has come, and the leader has not come to it. */
  record DueNow(Instant since) implements Explanation {
    @Override
    public String sentence() {
      return "It is due since " + since
          + ", and the leader has not decided yet. If that lasts, look whether anybody leads.";
    }
  }

  /** The trigger is another job's end, not a time. */
  record AfterJob(JobId job, Trigger.After.Outcome on) implements Explanation {
    @Override
    public String sentence() {
      return "It does not go by the clock: it waits for tasks of job " + job + " that have "
          + on.name().toLowerCase(Locale.ROOT) + ".";
    }
  }

  record OnlyWhenAsked() implements Explanation {
    @Override
    public String sentence() {
      return "It has no trigger: it is started only when somebody asks for it.";
    }
  }

  /** It counts from the end of its previous task. */
  record Delayed(Optional<Instant> next) implements Explanation {
    @Override
    public String sentence() {
      return "It fires an interval after the end of its previous task, which is not known in advance. "
          + next.map(at -> "Its next time is " + at + ".")
              .orElse("Its next time is known when the task that runs now has ended.");
    }
  }

  /** Nothing is kept of it, and the job was saved or changed after it. */
  record BeforeChange(Instant changed) implements Explanation {
    @Override
    public String sentence() {
      return "The job was saved as it is now at " + changed
          + ", after that instant. Until then it did not exist, was disabled or had other times.";
    }
  }

  /** It had its outcome, of which nothing is kept: of some jobs only the last tasks are. */
  record NotKept(Instant since) implements Explanation {
    @Override
    public String sentence() {
      return "It is over, and neither a task nor a skip of it is kept any more. The job has come to "
          + since + " since.";
    }
  }

  /** So long ago that tasks and skips are not kept any more. */
  record Forgotten(Instant kept) implements Explanation {
    @Override
    public String sentence() {
      return "That is older than what is kept: tasks and skips of the job before " + kept
          + " are forgotten.";
    }
  }
}
