/**
 * The API over HTTP.
 *
 * <pre>
 *   request ──▶ Router ──▶ Gate (who? may it? too often?) ──▶ Route's handling(Call) ──▶ Answer
 *                 │                                              │
 *                 └── audit of every change                      └── thrown ──▶ Problem {code, message, field}
 * </pre>
 *
 * <p>What an answer takes in memory is held by its {@link io.belfry.server.rest.AnswerReservation} from before it is built until it was read.
 *
 * <p>Law: a route without a permission cannot be written; what the gate does not know stays outside; a refusal has changed nothing.
 */
@NullMarked
package io.belfry.server.rest;

import org.jspecify.annotations.NullMarked;
