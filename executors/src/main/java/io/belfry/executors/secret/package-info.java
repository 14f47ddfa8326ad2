/**
 * Secrets by name, and their being taken out of everything that is kept or shown.
 *
 * <pre>
 *   ${secret:name} ──▶ Secrets ──▶ Destinations: may it go there? ──▶ request, environment
 *                         │
 *                         └──▶ Redaction ──▶ results, logs, errors: (secret name)
 * </pre>
 *
 * <p>Law: a value is looked up when it is used, and is sent only to a destination that the secret itself names.
 */
@NullMarked
package io.belfry.executors.secret;

import org.jspecify.annotations.NullMarked;
