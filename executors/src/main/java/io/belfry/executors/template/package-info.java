/**
 * Templates: texts with placeholders that are filled in for each attempt.
 *
 * <pre>
 *   "${payload.id}" ──parse──▶ Template ──fill(Values)──▶ text, escaped for its context
 *                                            ▲
 *                     payload · times · names · metadata · callback · secrets
 * </pre>
 *
 * <p>Law: a value fills only its placeholder. It cannot leave its string, its path segment or its parameter, and it never
 * reaches scheme, host or port.
 */
@NullMarked
package io.belfry.executors.template;

import org.jspecify.annotations.NullMarked;
