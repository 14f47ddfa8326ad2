/**
 * The one program, put together.
 *
 * <pre>
 *   Main ──▶ cli (verbs that ask a server)
 *        ├─▶ server (verbs that are one) ──▶ ui, as files on the class path
 *        ├─▶ bench
 *        └─▶ supply (what the program is made of)
 * </pre>
 *
 * <p>Law: nothing is decided here; a verb is made only when it is asked for.
 */
@NullMarked
package io.belfry.dist;

import org.jspecify.annotations.NullMarked;
