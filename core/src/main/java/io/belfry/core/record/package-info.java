/**
 * What the core writes into the store: one record per kind of key, and the compact binary form of each.
 *
 * <pre>
 *   j/job  Job          t/task  Task            in/worker    Inbox     h0/worker/n   Segment
 *   c/job  Cursor       x/task  CancelRequest   done/worker  Reports   skip/job/from SkippedRange
 *   term   Term         ask/id  Request         new/node     News      w/worker      WorkerRecord
 *   h1/pack Pack        hx/pack PackHead        r/job/hour   Rollup
 * </pre>
 *
 * <p>{@link io.belfry.core.record.Records} turns each into bytes and back.
 *
 * <p>Law: what an older version wrote is read by every newer one; what is cut or damaged is refused, never half-read.
 */
@NullMarked
package io.belfry.core.record;

import org.jspecify.annotations.NullMarked;
