/**
 * The verbs of workers and of the cluster.
 *
 * <pre>
 *   cluster events ──▶ EventStream ──▶ a line for each, across broken connections
 *   the others    ──▶ one call ──▶ a sentence or a table
 * </pre>
 *
 * Law: what was missed is said.
 */
@NullMarked
package io.belfry.cli.cluster;

import org.jspecify.annotations.NullMarked;
