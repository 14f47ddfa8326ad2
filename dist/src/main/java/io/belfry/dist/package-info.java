/**
 * Assembles the program from its modules.
 *
 * <pre>
 *   Main ──▶ cli (verbs that call a server)
 *        ├─▶ server (verbs that run a node) ──▶ ui, as files on the class path
 *        ├─▶ bench
 *        └─▶ supply (SBOM and security advisories)
 * </pre>
 *
 * <p>Law: no logic here; a verb is created only if it is used.
 */
@NullMarked
package io.belfry.dist;

import org.jspecify.annotations.NullMarked;
