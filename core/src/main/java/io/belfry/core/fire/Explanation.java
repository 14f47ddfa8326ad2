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

  /** A sentence for users. */
  String sentence();

  /**
   * The job has a task of that instant.
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

  /** It was due and skipped, and the skip was recorded, for this instant or for a range of them. */
  record Skipped(SkippedRange range) implements Explanation {
    @Override
    public String sentence() {
      String row = range.count() == 1
          ? ""
          : " So were all fire times from " + range.from() + " to " + range.to() + ", "
              + (range.exact() ? "" : "at least ") + range.count() + " in total.";
      return "It was skipped, because " + range.reason().sentence() + "." + row;
    }
  }

  /** The job does not exist. */
  record NoJob(JobId job) implements Explanation {
    @Override
    public String sentence() {
      return "There is no job " + job + ", and no task or skip of it at that instant is stored.";
    }
  }

  /** The trigger has no fire time at that instant. */
  record NotAFireTime(Optional<Instant> before, Optional<Instant> after) implements Explanation {
    @Override
    public String sentence() {
      return "Its trigger has no fire time at that instant. The previous one is "
          + before.map(Instant::toString).orElse("none") + ", the next one "
          + after.map(Instant::toString).orElse("none") + ".";
    }
  }

  record BeforeStart(Instant start) implements Explanation {
    @Override
    public String sentence() {
      return "Its trigger starts at " + start + ", which is later.";
    }
  }

  record AfterEnd(Instant end) implements Explanation {
    @Override
    public String sentence() {
      return "Its trigger ended at " + end + ".";
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
      return "The job is disabled, so it does not fire.";
    }
  }

  /** It has no outcome yet, and gets none before the namespace is resumed. */
  record Paused(String reason) implements Explanation {
    @Override
    public String sentence() {
      return "The namespace is paused" + (reason.isEmpty() ? "" : " (" + reason + ")")
          + ". When it is resumed, the job's missed-fire policy decides.";
    }
  }

  record NotYetDue(Instant at, Duration in) implements Explanation {
    @Override
    public String sentence() {
      return "It is not due yet: its time is " + at + ", in "
          + Durations.show(in.truncatedTo(ChronoUnit.SECONDS)) + ".";
    }
  }

  /** It is due, and the leader has not decided yet. */
  record DueNow(Instant since) implements Explanation {
    @Override
    public String sentence() {
      return "It has been due since " + since
          + ", and the leader has not decided yet. If that lasts, check that the cluster has a leader.";
    }
  }

  /** The trigger is the end of another job's task, not a time. */
  record AfterJob(JobId job, Trigger.After.Outcome on) implements Explanation {
    @Override
    public String sentence() {
      return "Its trigger is not a time: it waits for tasks of job " + job + " that have "
          + on.name().toLowerCase(Locale.ROOT) + ".";
    }
  }

  record OnlyWhenAsked() implements Explanation {
    @Override
    public String sentence() {
      return "It has no trigger: it runs only when it is triggered by hand or through the API.";
    }
  }

  /** The interval counts from the end of its previous task. */
  record Delayed(Optional<Instant> next) implements Explanation {
    @Override
    public String sentence() {
      return "It fires an interval after the end of its previous task, which is not known in advance. "
          + next.map(at -> "Its next time is " + at + ".")
              .orElse("Its next time is known when its current task has ended.");
    }
  }

  /** Nothing is stored of it, and the job was saved or changed after it. */
  record BeforeChange(Instant changed) implements Explanation {
    @Override
    public String sentence() {
      return "The present version of the job was saved at " + changed
          + ", after that instant. Until then the job did not exist, was disabled or had other fire times.";
    }
  }

  /** It had an outcome that is no longer stored: some jobs keep only their last tasks. */
  record NotKept(Instant since) implements Explanation {
    @Override
    public String sentence() {
      return "Its outcome is no longer stored. The job has since decided all fire times up to "
          + since + ".";
    }
  }

  /** So long ago that its tasks and skips are past their retention. */
  record Forgotten(Instant kept) implements Explanation {
    @Override
    public String sentence() {
      return "That is past the retention: tasks and skips of the job before " + kept
          + " are deleted.";
    }
  }
}
