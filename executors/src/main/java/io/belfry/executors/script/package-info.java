/**
 * Runs scripts, each in a session of its own, and leaves nothing of them behind.
 *
 * <pre>
 *   ScriptPlan ──fill──▶ Workplace (0700) ──setsid──▶ interpreter script args
 *                                                         │ stdout, stderr ──▶ Pump ──▶ the task's log, result
 *   end, cancel, timeout, lost lease ──▶ Session: TERM to the group, grace, KILL, and whoever left it ──▶ workplace deleted
 * </pre>
 *
 * <p>{@link io.belfry.executors.script.ScriptExecutor} is the door, and is off unless somebody makes {@link
 * io.belfry.executors.script.ScriptRules}. Law: values are arguments, environment and files, never code; an attempt that has ended runs
 * nowhere.
 */
@NullMarked
package io.belfry.executors.script;

import org.jspecify.annotations.NullMarked;
