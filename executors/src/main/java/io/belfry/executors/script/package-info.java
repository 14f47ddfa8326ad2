/**
 * The script executor: runs each script in a session of its own and cleans up all its processes and files.
 *
 * <pre>
 *   ScriptPlan ──fill──▶ AttemptFolder (0700) ──setsid, setpriv (ScriptUser)──▶ interpreter script args
 *                                                         │ stdout, stderr ──OutputPipes──▶ OutputReader ──▶ task log, result
 *   end, cancel, timeout, lost lease ──▶ ScriptSession: TERM, grace, KILL to all AttemptProcesses ──▶ FolderCleanup deletes the folder
 * </pre>
 *
 * <p>{@link io.belfry.executors.script.ScriptExecutor} is the entry point. It is disabled unless it is given {@link
 * io.belfry.executors.script.ScriptRules}. Law: values are arguments, environment and files, never code; an attempt that has ended has no
 * running process; every wait for a script has a time limit.
 */
@NullMarked
package io.belfry.executors.script;

import org.jspecify.annotations.NullMarked;
