/**
 * Taking in tasks that somebody submits, on any node.
 *
 * <pre>
 *   submit ──▶ gathered ──▶ one commit: tasks absent, written, told to the leader ──▶ each caller hears
 * </pre>
 *
 * <p>A namespace that is being deleted takes in nothing new: every such commit is guarded by the absence of its {@code EndMark}.
 *
 * <p>Law: what was acknowledged is in the store; what is refused left nothing there; one bad task does not fail those beside it.
 */
@NullMarked
package io.belfry.core.submit;

import org.jspecify.annotations.NullMarked;
