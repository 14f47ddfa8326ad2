/**
 * The domain model: jobs, tasks and the pure rules that govern them. Depends on {@code java.*} only.
 *
 * <pre>
 *   job      what a user defines: a trigger, the work, the policies
 *    │ fires
 *    ▼
 *   task     one occurrence of the work ── decide(task, command) ──▶ events ── apply ──▶ task
 *    │
 *    ├─ retry    whether and when a failed attempt is followed by another
 *    ├─ missed   which missed fires are caught up
 *    ├─ cron     cron expressions and the instants they fire at
 *    └─ time     the only access to the clock
 * </pre>
 *
 * <p>This package holds what all of them share: validation ({@link io.belfry.model.Check}, {@link
 * io.belfry.model.InvalidException}) and the parsing and formatting of values ({@link io.belfry.model.WireName}, {@link
 * io.belfry.model.Durations}, {@link io.belfry.model.Typo}).
 *
 * <p>Law: nothing below does I/O, reads a clock or uses a random source of its own; a value that exists is valid.
 */
@NullMarked
package io.belfry.model;

import org.jspecify.annotations.NullMarked;
