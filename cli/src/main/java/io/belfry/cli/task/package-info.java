/**
 * The verbs of tasks.
 *
 * <pre>
 *   task submit ──▶ key of our own ──▶ sent again after a cut, and still one task
 *        └─ --wait ──▶ asks until it has ended ──▶ exit code 0 or 1
 *   task logs -f ──▶ EventStream ──▶ standard output, until the task has ended
 * </pre>
 *
 * Law: the exit code says how the task ended only if somebody waited for it.
 */
@NullMarked
package io.belfry.cli.task;

import org.jspecify.annotations.NullMarked;
