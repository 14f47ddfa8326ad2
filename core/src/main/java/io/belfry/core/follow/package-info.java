/**
 * A part of the store, kept in memory by scan and watch.
 *
 * <pre>
 *   watch opens ──▶ scan, page by page ──▶ what was heard meanwhile ──▶ each change as it comes
 *       ▲                                                                    │
 *       └────────────────────────── compacted ◀─────────────────────────────┘
 * </pre>
 *
 * <p>Law: a change counts only if its revision is newer than what is known of its key, so that neither order nor repetition of what
 * is heard matters.
 */
@NullMarked
package io.belfry.core.follow;

import org.jspecify.annotations.NullMarked;
