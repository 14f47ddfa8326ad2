/**
 * The server process as a whole: what it opens, and how it shuts down.
 *
 * <pre>
 *   Config ──▶ Node ──┬──▶ store of the system namespace: tokens, sessions, secrets, audit log, namespaces
 *                     ├──▶ ApiAddresses: API addresses of all nodes, which jobs may not call
 *                     └──▶ Namespaces ──▶ a Belfry each ──▶ executors
 * </pre>
 *
 * <p>Law: parts are stopped in the reverse order of their start, also after a failed start.
 */
@NullMarked
package io.belfry.server.node;

import org.jspecify.annotations.NullMarked;
