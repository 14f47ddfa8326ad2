/**
 * Calls a service over HTTP, once for each attempt.
 *
 * <pre>
 *   HttpPlan ──fill──▶ Message ──egress──▶ Outbound (one Jetty client) ──▶ target
 *                         ▲                        │
 *                         └── Redirects ◀── 3xx ── Answer ──▶ SuccessRule ──▶ result, or the wait for a callback
 *                                                    └──────▶ RetryRule: error or timeout may be tried again, rejected may not
 * </pre>
 *
 * <p>{@link io.belfry.executors.http.HttpExecutor} is the door. Law: an attempt that ends has ended its exchange; nothing is read, sent
 * or kept beyond a bound; credentials go to the origin that the job names and to no other.
 */
@NullMarked
package io.belfry.executors.http;

import org.jspecify.annotations.NullMarked;
