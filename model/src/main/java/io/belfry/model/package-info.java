/**
 * The vocabulary of Belfry and its pure rules, on nothing but {@code java.*}.
 *
 * <pre>
 *   job      what a user defines: a trigger, the work, the policies
 *    │ fires
 *    ▼
 *   task     one occurrence of it, carried out once ── decide(task, command) ──▶ events ── apply ──▶ task
 *    │
 *    ├─ retry    whether and when a failed attempt is followed by another
 *    ├─ missed   which of the instants that nobody fired in time are made up for
 *    ├─ cron     from an expression to instants
 *    └─ time     the one door to the clock
 * </pre>
 *
 * <p>This package itself holds only what all of them share: how a value is refused ({@link
 * io.belfry.model.Check}, {@link io.belfry.model.InvalidException}) and how a value is written for
 * people and read from them ({@link io.belfry.model.WireName}, {@link io.belfry.model.Durations}, {@link io.belfry.model.Suggestion}).
 *
 * <p>Law: nothing below does I/O, reads a clock or rolls dice; a value that exists is valid.
 */
@NullMarked
package io.belfry.model;

import org.jspecify.annotations.NullMarked;
