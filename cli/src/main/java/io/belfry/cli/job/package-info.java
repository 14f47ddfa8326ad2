/**
 * The verbs of jobs.
 *
 * <pre>
 *   files ──▶ Documents ──▶ JobApply ──▶ bulk route, 500 at a time ──▶ outcome of each
 *                              │
 *                              ├─ --dry-run: Difference (old → new)
 *                              └─ --prune:   what has the label and is in no file
 * </pre>
 *
 * Law: nothing is pruned while a file could not be read.
 */
@NullMarked
package io.belfry.cli.job;

import org.jspecify.annotations.NullMarked;
