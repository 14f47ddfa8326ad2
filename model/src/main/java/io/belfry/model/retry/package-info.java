/**
 * Whether a failed attempt is retried, and how long the task waits before the retry.
 *
 * <pre>
 *   wait
 *    cap ┤                    ┌──── never longer
 *        │            ▒▒▒▒▒▒▒▒│
 *        │      ▒▒▒▒          ▒  jitter: tasks that failed together are not retried together
 *        │  ▒▒
 *  delay ┤▒─── never shorter, unless the cap leaves no room
 *        └──┬────┬────┬────┬──▶ failures
 * </pre>
 *
 * <p>Law: a task that always fails ends as failed, and so does one that crashes its workers.
 */
@NullMarked
package io.belfry.model.retry;

import org.jspecify.annotations.NullMarked;
