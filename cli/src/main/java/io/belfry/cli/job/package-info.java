/**
 * The verbs of {@code belfry job}.
 *
 * <pre>
 *   files ──▶ Documents ──▶ JobApply ──▶ bulk route, batches of 500 ──▶ outcome per job
 *                              │
 *                              ├─ --dry-run: Difference (old → new)
 *                              └─ --prune:   deletes labelled jobs that are not in the files
 * </pre>
 *
 * Law: nothing is pruned if a file could not be read or a document was refused.
 */
@NullMarked
package io.belfry.cli.job;

import org.jspecify.annotations.NullMarked;
