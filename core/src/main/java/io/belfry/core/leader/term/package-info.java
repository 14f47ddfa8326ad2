/**
 * What every part of a leader stands on during one term: its loop, its commits, its settings and its limits.
 *
 * <p>Law: nothing runs here after the end of the term, and no commit leaves without the fencing token of the term.
 */
@NullMarked
package io.belfry.core.leader.term;

import org.jspecify.annotations.NullMarked;
