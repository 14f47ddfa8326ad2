/**
 * What a leader does during one term.
 *
 * <pre>
 *                        ┌──────────────────────── LeaderTerm ────────────────────────┐
 *   cursors ────────────▶│ JobFirer ────────┐                                         │
 *   history batches ───▶│ AfterJobs ───────┤                                         │
 *   requests ───────────▶│ RequestHandler ──┼─▶ TaskTable ─▶ TaskAssigner ─▶ inboxes   │
 *   news, reports ──────▶│ TaskFeed ────────┘       ▲                                 │
 *   workers ────────────▶│ WorkerTracker ─▶ TaskRescuer      every commit holds the term│
 *   history batches ───▶│ Retention ─▶ segments, rollups                                │
 *                        └────────────────────────────────────────────────────────────┘
 * </pre>
 *
 * <p>Tasks of queues in pull mode are not assigned: PullOffers admits them, and workers claim them.
 *
 * <p>Everything here is a cache of the store that lasts as long as the term. A commit that is refused by any guard but the fencing token
 * only means that the cache was behind: the leader reads the records again and makes its next decision from them.
 *
 * <p>Law: a leader that loses its term loses nothing, because the next leader finds all of it in the store.
 */
@NullMarked
package io.belfry.core.leader;

import org.jspecify.annotations.NullMarked;
