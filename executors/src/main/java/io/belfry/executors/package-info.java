/**
 * Executors that leave the worker process: HTTP calls and scripts.
 *
 * <pre>
 *   task ──▶ worker ──▶ executor ──▶ plan (cached) ──▶ templates filled ──▶ checked ──▶ executed ──▶ result
 *                                     ▲                      ▲                              │
 *                                 settings           payload, secrets                  redaction
 * </pre>
 *
 * <p>Law: a payload is data. It never decides where a call goes, which program runs, or which secret is sent.
 */
@NullMarked
package io.belfry.executors;

import org.jspecify.annotations.NullMarked;
