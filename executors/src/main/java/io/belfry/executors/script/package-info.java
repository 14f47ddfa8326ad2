/**
 * Runs scripts, each in a session of its own, and leaves nothing of them behind.
 *
 * <pre>
 *   ScriptPlan ──fill──▶ Workplace (0700) ──setsid, setpriv (ScriptUser)──▶ interpreter script args
 *                                                         │ stdout, stderr ──OutputPipes──▶ Pump ──▶ the task's log, result
 *   end, cancel, timeout, lost lease ──▶ Session: TERM to the group, grace, KILL, and whoever left it ──▶ workplace deleted (Leftovers)
 * </pre>
 *
 * <p>{@link io.belfry.executors.script.ScriptExecutor} is the door, and is off unless somebody makes {@link
 * io.belfry.executors.script.ScriptRules}. Law: values are arguments, environment and files, never code; an attempt that has ended runs
 * nowhere; nothing that a script does makes the server wait without a limit.
 */
@NullMarked
package io.belfry.executors.script;

import org.jspecify.annotations.NullMarked;
