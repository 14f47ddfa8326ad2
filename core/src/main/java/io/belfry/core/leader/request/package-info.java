/**
 * Carries out the requests that only a leader may carry out: triggers, cancels, priorities, retries.
 *
 * <pre>
 *   requests ──watch──▶ RequestHandler ──commit──▶ task created, changed or ended; request deleted
 * </pre>
 *
 * <p>Law: the request and its effect are one commit, so that it takes effect once.
 */
@NullMarked
package io.belfry.core.leader.request;

import org.jspecify.annotations.NullMarked;
