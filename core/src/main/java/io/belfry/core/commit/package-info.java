/**
 * Commits whose outcome is always known in the end.
 *
 * <pre>
 *   commit ──▶ done │ refused
 *     ▲  │
 *     └──┴─ unknown, unavailable, overloaded, full: the very same commit again, after a pause
 *           └─ full, and a caller waits for the answer: the caller gets the failure at once
 * </pre>
 *
 * <p>Law: an unknown commit is settled by committing it again, never by a read; until then no other commit touches its keys.
 */
@NullMarked
package io.belfry.core.commit;

import org.jspecify.annotations.NullMarked;
