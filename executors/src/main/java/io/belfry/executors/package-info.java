/**
 * Executors that reach beyond the process: HTTP services and scripts.
 *
 * <pre>
 *   task ──▶ worker ──▶ executor ──▶ plan (read once) ──▶ templates filled ──▶ checked ──▶ carried out ──▶ result
 *                                      ▲                       ▲                              │
 *                                  settings            payload, secrets                  redaction
 * </pre>
 *
 * <p>Law: what a payload says is data. It never decides where a call goes, what is run, or which secret is shown.
 */
@NullMarked
package io.belfry.executors;

import org.jspecify.annotations.NullMarked;
