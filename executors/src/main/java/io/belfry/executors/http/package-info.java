/**
 * The HTTP executor: one HTTP call for each attempt.
 *
 * <pre>
 *   HttpPlan ──fill──▶ CallRequest ──egress──▶ Outbound (one Jetty client) ──▶ target
 *                          ▲                        │
 *                          └── Redirects ◀── 3xx ── Answer ──▶ SuccessRule ──▶ result, or the wait for a callback
 *                                                     └──────▶ RetryRule: error and timeout are retried, rejected is not
 * </pre>
 *
 * <p>{@link io.belfry.executors.http.HttpExecutor} is the entry point. Law: when an attempt ends, its exchange has ended; everything that is
 * read, sent or stored is bounded; credentials are sent only to the origin that the job names.
 */
@NullMarked
package io.belfry.executors.http;

import org.jspecify.annotations.NullMarked;
