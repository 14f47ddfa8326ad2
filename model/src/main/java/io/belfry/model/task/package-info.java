/**
 * The task state machine: commands, events and states.
 *
 * <pre>
 *                    Assign              Start              Complete
 *        Pending ─────────────▶ Assigned ───────▶ Running ────────────▶ Succeeded
 *        │  │  ▲                   │                 │
 *        │  │  │   Fail, TimeOut, Rescue, HandBack   │
 *        │  │  └─────────── if it is retried ◀──────┴───── otherwise ─▶ Failed
 *        │  │                                         └─ if requested ─▶ Cancelled
 *        │  └──Cancel─▶ Cancelled
 *        └─Skip─▶ Skipped
 *
 *   decide(task, command, now, random) ──▶ Accepted(events) │ Refused(reason)
 *   apply(task, event)                 ──▶ task                                  never refuses
 * </pre>
 *
 * <p>{@link io.belfry.model.task.TaskLife} is the entry point. Its caller reads a task, decides, and commits the
 * events under a guard. When the guard fails, the caller starts over.
 *
 * <p>Law: a final state never changes, and a report under an old token changes nothing. {@code docs/task-states.md} is
 * generated from this code.
 */
@NullMarked
package io.belfry.model.task;

import org.jspecify.annotations.NullMarked;
