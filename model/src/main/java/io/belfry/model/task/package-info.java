/**
 * The life of a task: what may be asked of it, what happened to it, and what follows.
 *
 * <pre>
 *                    Assign              Start              Complete
 *        Pending ─────────────▶ Assigned ───────▶ Running ────────────▶ Succeeded
 *        │  │  ▲                   │                 │
 *        │  │  │   Fail, TimeOut, Rescue, HandBack   │
 *        │  │  └────────── if it may be tried ◀──────┴───── otherwise ─▶ Failed
 *        │  │                     again              └─ if asked to ──▶ Cancelled
 *        │  └──Cancel─▶ Cancelled
 *        └─Skip─▶ Skipped
 *
 *   decide(task, command, now, random) ──▶ Accepted(events) │ Refused(reason)      may refuse
 *   apply(task, event)                 ──▶ task                                    may not
 * </pre>
 *
 * <p>{@link io.belfry.model.task.TaskLife} is the door. The shell around it reads a task, decides, and
 * commits the outcome under a guard; when it lost the race, it starts over.
 *
 * <p>Law: a final state is never left, and nothing is changed in the name of an old token. The whole table
 * is printed from this code in {@code docs/task-states.md}.
 */
@NullMarked
package io.belfry.model.task;

import org.jspecify.annotations.NullMarked;
