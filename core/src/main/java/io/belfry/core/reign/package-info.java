/**
 * What a leader does during one term.
 *
 * <pre>
 *                     ┌────────────────────────── Reign ──────────────────────────┐
 *   cursors ─────────▶│ Firing ───────┐                                           │
 *   lots, AfterBook ─▶│ Following ────┤                                           │
 *   requests ────────▶│ Asking ───────┼─▶ LiveTasks ─▶ Assigning ─▶ inboxes        │
 *   news, reports ───▶│ TaskFeed ─────┘       ▲                                    │
 *   workers ─────────▶│ Watching ─▶ Rescuing ─┘        every commit holds the term │
 *   lots of history ─▶│ Retention ─▶ packs, rollups                                │
 *                     └────────────────────────────────────────────────────────────┘
 * </pre>
 *
 * <p>Queues in pull mode are not assigned: Offering admits their tasks and tells workers, which claim them.
 *
 * <p>Jobs with a calendar are fired by what CalendarBook has heard; after a change of one, Replanning plans their cursors anew.
 *
 * <p>What earlier leaders began under a rate is read back from history by Recollection, while somebody waits for it.
 *
 * <p>Everything here is a cache of the store that lasts as long as the term. A commit that is refused by anything but the fence only
 * means that the cache was behind: what stands there is read and taken in, and the next decision is made from that.
 *
 * <p>Law: losing a reign loses nothing, and the next one finds all of it in the store.
 */
@NullMarked
package io.belfry.core.reign;

import org.jspecify.annotations.NullMarked;
