package io.belfry.core.record;

import io.belfry.model.task.StateName;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Many finished tasks in one value, sorted by job and end, with columns that answer most questions without decoding a task.
 *
 * <pre>
 *   version │ first end │ jobs │ rows: job, state, end, length │ tasks, one behind the other
 * </pre>
 *
 * <p>Threading: immutable.
 */
public final class HistorySegment {
  /** The job id of tasks without a job. No job has this id. */
  public static final String NO_JOB = "";

  /**
   * A task to be written into a segment.
   *
   * @param end in milliseconds
   * @param rated whether it started under a rate limit
   */
  public record Row(String job, StateName state, long end, String id, boolean rated, byte[] bytes) {
    public static Row of(Task task) {
      return new Row(
          task.id().jobId().map(Object::toString).orElse(NO_JOB),
          task.stateName(),
          task.ended().orElseThrow().toEpochMilli(),
          task.id().toString(),
          task.work().limit().rate().isPresent(),
          Records.encode(task));
    }
  }

  private static final StateName[] STATES = StateName.values();

  private final byte[] bytes;
  private final String[] jobs;
  private final int[] job;
  private final StateName[] state;
  private final long[] end;
  private final int[] offset;

  private HistorySegment(byte[] bytes, String[] jobs, int count) {
    this.bytes = bytes;
    this.jobs = jobs;
    this.job = new int[count];
    this.state = new StateName[count];
    this.end = new long[count];
    this.offset = new int[count + 1];
  }

  /** Encodes the rows as one value. */
  public static byte[] encode(List<Row> rows) {
    var sorted = new ArrayList<>(rows);
    sorted.sort(Comparator.comparing(Row::job).thenComparingLong(Row::end).thenComparing(Row::id));
    long first = sorted.stream().mapToLong(Row::end).min().orElse(0);
    Map<String, Integer> places = new LinkedHashMap<>();
    sorted.forEach(row -> places.putIfAbsent(row.job, places.size()));
    Writer out = new Writer();
    out.number(Records.VERSION);
    out.signed(first);
    out.number(places.size());
    places.keySet().forEach(out::text);
    out.number(sorted.size());
    for (Row row : sorted) {
      out.number(places.getOrDefault(row.job, 0));
      out.constant(row.state);
      out.number(row.end - first);
      out.number(row.bytes.length);
    }
    for (Row row : sorted) {
      out.bytes(ByteBuffer.wrap(row.bytes));
    }
    return out.done();
  }

  /**
   * The head for these rows.
   *
   * @param until when they expire, in milliseconds
   * @param bytes their size as one value
   */
  public static SegmentHead head(List<Row> rows, long until, int bytes) {
    long jobCount = rows.stream().map(Row::job).distinct().count();
    Bloom tasks = Bloom.forCount(rows.size());
    Bloom jobs = Bloom.forCount((int) jobCount);
    var ends = new Integer[Rollup.ENDS.size()];
    Arrays.fill(ends, 0);
    for (Row row : rows) {
      tasks.add(row.id);
      jobs.add(row.job);
      ends[Rollup.ENDS.indexOf(row.state)]++;
    }
    return new SegmentHead(
        rows.size(),
        rows.stream().mapToLong(Row::end).min().orElseThrow(),
        rows.stream().mapToLong(Row::end).max().orElseThrow(),
        List.of(ends),
        (int) rows.stream().filter(Row::rated).count(),
        until,
        bytes,
        tasks,
        jobs);
  }

  /** Reads the columns; tasks are decoded on demand. */
  public static HistorySegment of(byte[] bytes) {
    return Records.decode("history segment", bytes, in -> read(in, bytes));
  }

  private static HistorySegment read(Reader in, byte[] bytes) {
    long first = in.signed();
    String[] jobs = in.list(Reader::text).toArray(String[]::new);
    int count = in.count();
    var segment = new HistorySegment(bytes, jobs, count);
    long length = 0;
    for (int i = 0; i < count; i++) {
      segment.job[i] = in.integer();
      if (segment.job[i] < 0 || segment.job[i] >= jobs.length) {
        throw in.damaged("job " + segment.job[i] + " where there are " + jobs.length);
      }
      segment.state[i] = in.constant(STATES);
      segment.end[i] = first + in.number();
      segment.offset[i] = (int) length;
      int each = in.integer();
      if (each < 0) {
        throw in.damaged("a task of " + each + " bytes");
      }
      length = Math.min(length + each, Integer.MAX_VALUE);
    }
    int start = in.bytes((int) length).position();
    segment.offset[count] = (int) length;
    for (int i = 0; i <= count; i++) {
      segment.offset[i] += start;
    }
    return segment;
  }

  public int count() {
    return job.length;
  }

  public String job(int row) {
    return jobs[job[row]];
  }

  public StateName state(int row) {
    return state[row];
  }

  /** In milliseconds. */
  public long end(int row) {
    return end[row];
  }

  /** What the task weighs. */
  public int bytes(int row) {
    return offset[row + 1] - offset[row];
  }

  public TaskId id(int row) {
    return Records.taskId(slice(row));
  }

  public Task task(int row) {
    return Records.task(slice(row));
  }

  /** The row, to be written into another segment; whether it started under a rate limit is not looked up. */
  public Row row(int row) {
    return new Row(job(row), state(row), end(row), id(row).toString(), false, slice(row));
  }

  private byte[] slice(int row) {
    return Arrays.copyOfRange(bytes, offset[row], offset[row + 1]);
  }
}
