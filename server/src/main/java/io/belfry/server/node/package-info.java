/**
 * One process as a whole: what it is configured to be, and what it opens and closes.
 *
 * <pre>
 *   Config ──▶ Node ──┬──▶ store of the system namespace: tokens, sessions, secrets, audit, which namespaces there are
 *                     ├──▶ ApiAddresses: where all nodes listen, which no job may call
 *                     └──▶ Namespaces ──▶ a Belfry each ──▶ executors
 * </pre>
 *
 * <p>Law: what was started is stopped in the opposite order, also when the start fails half-way.
 */
@NullMarked
package io.belfry.server.node;

import org.jspecify.annotations.NullMarked;
