/**
 * Adds ordinary log lines to the log of the task that wrote them. Only this package needs Logback.
 *
 * <pre>
 *   SLF4J ──▶ Logback ──▶ AttemptAppender ── does this thread run an attempt? ──▶ log of the attempt
 * </pre>
 *
 * <p>Law: lines outside of an attempt are ignored, and logging never blocks the thread that logs.
 */
@NullMarked
package io.belfry.library.logback;

import org.jspecify.annotations.NullMarked;
