package io.belfry.core.fire;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.record.Cursor;
import io.belfry.model.job.JobId;
import io.belfry.model.task.TaskId;
import io.belfry.model.time.Time;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a million jobs cost the leader. The goal is 300 bytes a job. */
class JobTableSizeTest {
  private static final int JOBS = 1_000_000;
  private static final Instant START = Instant.parse("2027-01-01T00:00:00Z");

  @Test
  void a_million_jobs_take_less_than_300_bytes_each() {
    Time time = Time.system();
    long before = usedHeap();
    long began = time.nanos();
    JobTable table = new JobTable();
    for (int i = 0; i < JOBS; i++) {
      table.put(id(i), cursor(i), i + 1);
    }
    long nanosPerPut = (time.nanos() - began) / JOBS;
    long bytesPerJob = (usedHeap() - before) / JOBS;

    began = time.nanos();
    int due = table.forEachDue(START.plusSeconds(JOBS), JOBS, one -> true);
    long nanosPerDue = (time.nanos() - began) / JOBS;
    System.out.println("JobTable of 1,000,000: " + bytesPerJob + " B per job, put " + nanosPerPut
        + " ns, taking a due one out " + nanosPerDue + " ns");

    assertThat(due).isEqualTo(JOBS);
    assertThat(table.size()).isEqualTo(JOBS);
    assertThat(bytesPerJob).isBetween(50L, 300L);
    // Usually about 1,000; the machine may be busy, but what grows with the table would be far
    // above.
    assertThat(nanosPerPut).isLessThan(100_000);
  }

  private static JobId id(int i) {
    String number = Integer.toString(i);
    return new JobId("job-" + "0".repeat(6 - number.length()) + number);
  }

  /** As after a fire: with a last instant and the task that the overlap policy needs. */
  private static Cursor cursor(int i) {
    long scattered = (i * 7_919L) % JOBS;
    Instant last = START.plusSeconds(scattered - 60);
    return new Cursor(
        1,
        true,
        Optional.of(START.plusSeconds(scattered)),
        Optional.of(last),
        Optional.of(TaskId.fire(id(i), last)));
  }

  private static long usedHeap() {
    Runtime runtime = Runtime.getRuntime();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 4; i++) {
      System.gc();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }
}
