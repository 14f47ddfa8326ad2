/**
 * Lookup of secrets by name, their destinations, and their redaction from everything that is stored or shown.
 *
 * <pre>
 *   ${secret:name} ──▶ Secrets ──▶ Destinations: may it go there? ──▶ request, environment
 *                         │
 *                         └──▶ Redaction ──▶ results, logs, errors: (secret name)
 * </pre>
 *
 * <p>Law: a secret is looked up when it is used, and is sent only to its own destinations.
 */
@NullMarked
package io.belfry.executors.secret;

import org.jspecify.annotations.NullMarked;
