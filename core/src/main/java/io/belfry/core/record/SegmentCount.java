package io.belfry.core.record;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * The counts of a segment that tell whether it can be deleted early because newer tasks suffice.
 *
 * @param until when it is deleted in any case, in milliseconds
 * @param rated how many of its tasks started under a rate limit
 */
public record SegmentCount(long until, int rated, List<Piece> pieces) {

  /**
   * The tasks of one job.
   *
   * @param keep how many of the job's last tasks must be kept, as the job said when they were folded
   * @param firstEnd of the task that ended first, in milliseconds
   * @param lastEnd of the task that ended last
   */
  public record Piece(String job, int keep, int count, long firstEnd, long lastEnd) {
    private Piece and(Piece other) {
      return new Piece(
          job,
          keep,
          count + other.count,
          Math.min(firstEnd, other.firstEnd),
          Math.max(lastEnd, other.lastEnd));
    }
  }

  public SegmentCount {
    pieces = List.copyOf(pieces);
  }

  /**
   * Counts these rows.
   *
   * @param keep how many tasks of a job must be kept
   */
  public static SegmentCount of(
      List<HistorySegment.Row> rows, long until, ToIntFunction<String> keep) {
    Map<String, Piece> pieces = new LinkedHashMap<>();
    for (HistorySegment.Row row : rows) {
      var one = new Piece(row.job(), keep.applyAsInt(row.job()), 1, row.end(), row.end());
      pieces.merge(row.job(), one, Piece::and);
    }
    int rated = (int) rows.stream().filter(HistorySegment.Row::rated).count();
    return new SegmentCount(until, rated, List.copyOf(pieces.values()));
  }
}
