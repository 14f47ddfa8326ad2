/**
 * The verbs of {@code belfry task}.
 *
 * <pre>
 *   task submit ──▶ generated idempotency key ──▶ can be sent again after a lost connection
 *        └─ --wait ──▶ polls until the task has ended ──▶ exit code 0 or 1
 *   task logs -f ──▶ EventStream ──▶ standard output, until the task has ended
 * </pre>
 *
 * Law: the exit code depends on the outcome of a task only with --wait.
 */
@NullMarked
package io.belfry.cli.task;

import org.jspecify.annotations.NullMarked;
