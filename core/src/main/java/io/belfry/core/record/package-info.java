/**
 * The records in the store: one per kind of key, and the compact binary form of each.
 *
 * <pre>
 *   j/job      Job             t/task     Task           in/worker    Inbox           h0/worker/n    EndedBatch
 *   c/job      Cursor          x/task     CancelRequest  done/worker  Reports         skip/job/from  SkippedRange
 *   term       Term            ask/id     Request        new/node     SubmittedTasks  w/worker       WorkerRecord
 *   h1/segment HistorySegment  hx/segment SegmentHead    r/job/hour   Rollup
 * </pre>
 *
 * <p>{@link io.belfry.core.record.Records} encodes and decodes them.
 *
 * <p>Law: every version can read the records of all older ones; a truncated or damaged record is refused, never read in part.
 */
@NullMarked
package io.belfry.core.record;

import org.jspecify.annotations.NullMarked;
