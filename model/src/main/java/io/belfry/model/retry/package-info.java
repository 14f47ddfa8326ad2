/**
 * Whether a failed attempt is followed by another, and how long the task waits for it.
 *
 * <pre>
 *   wait
 *    cap ┤                    ┌──── never longer
 *        │            ▒▒▒▒▒▒▒▒│
 *        │      ▒▒▒▒          ▒  jitter: workers that failed together do not come back together
 *        │  ▒▒
 *  delay ┤▒─── never shorter, unless the cap leaves no room
 *        └──┬────┬────┬────┬──▶ failures
 * </pre>
 *
 * <p>Law: a task that fails for ever ends as failed, and so does one that takes its workers down.
 */
@NullMarked
package io.belfry.model.retry;

import org.jspecify.annotations.NullMarked;
