/**
 * Commits whose outcome is always known in the end.
 *
 * <pre>
 *   commit ──▶ done │ refused
 *     ▲  │
 *     └──┴─ unknown, unavailable, overloaded, full: the very same commit again, after a pause
 *           └─ full, and somebody waits for the answer: told at once
 * </pre>
 *
 * <p>Law: an unknown commit is settled by committing it again, never by a read; until then its keys belong to it.
 */
@NullMarked
package io.belfry.core.commit;

import org.jspecify.annotations.NullMarked;
