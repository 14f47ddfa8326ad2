/**
 * Accepts submitted tasks, on any node.
 *
 * <pre>
 *   submit ──▶ gathered ──▶ one commit: tasks absent, written, message to the leader ──▶ each caller is answered
 * </pre>
 *
 * <p>A namespace that is being deleted accepts nothing new: every such commit is guarded by the absence of its {@code NamespaceEndMark}.
 *
 * <p>Law: an acknowledged task is in the store; a refused one left nothing there; one bad task does not fail the others in its commit.
 */
@NullMarked
package io.belfry.core.submit;

import org.jspecify.annotations.NullMarked;
