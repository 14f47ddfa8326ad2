/**
 * An in-memory copy of a part of the store, kept up to date by scan and watch.
 *
 * <pre>
 *   watch opens ──▶ scan, page by page ──▶ changes that arrived meanwhile ──▶ each change as it comes
 *       ▲                                                                    │
 *       └────────────────────────── compacted ◀─────────────────────────────┘
 * </pre>
 *
 * <p>Law: a change counts only if its revision is newer than the known one of its key, so that neither the order nor the repetition
 * of changes matters.
 */
@NullMarked
package io.belfry.core.follow;

import org.jspecify.annotations.NullMarked;
