/**
 * Texts with holes, filled in for each attempt.
 *
 * <pre>
 *   "${payload.id}" ──parse──▶ Template ──fill(Values)──▶ text, escaped for the place where it stands
 *                                            ▲
 *                     payload · times · names · metadata · callback · secrets
 * </pre>
 *
 * <p>Law: a value fills its hole and nothing else. It cannot leave its string, its path segment or its parameter, and it never
 * reaches scheme, host or port.
 */
@NullMarked
package io.belfry.executors.template;

import org.jspecify.annotations.NullMarked;
