/**
 * The verbs of workers and of the cluster.
 *
 * <pre>
 *   cluster events ──▶ EventStream ──▶ one line per event, reconnects after a lost connection
 *   other verbs    ──▶ one call ──▶ a sentence or a table
 * </pre>
 *
 * Law: a gap in the events is reported.
 */
@NullMarked
package io.belfry.cli.cluster;

import org.jspecify.annotations.NullMarked;
