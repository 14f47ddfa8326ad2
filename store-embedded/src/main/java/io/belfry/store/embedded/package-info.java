/**
 * The store in a directory of one machine: nothing to install.
 *
 * <pre>
 *   commit ──▶ Committer ──batch──▶ Writer: guards against LiveKeys ──▶ one batch ──▶ one sync
 *                                    │                                               │
 *                 LiveKeys, Leases ◀─┴── only after the sync ────────────────────────┤
 *                                                                                    ├──▶ Answers ──▶ callers
 *   get, scan ──▶ Reads ──snapshot──▶ Database (RocksDB)                             └──▶ ChangeFeed ──▶ watchers
 * </pre>
 *
 * On a full disk, what only deletes is still written, if need be with the room of the Reserve.
 *
 * <p>Law: nobody hears of a step before it is on the disk, and memory holds nothing that the disk does not.
 */
@NullMarked
package io.belfry.store.embedded;

import org.jspecify.annotations.NullMarked;
