/**
 * Ordinary log lines, kept with the task that wrote them. For programs that log through Logback, which this package alone needs.
 *
 * <pre>
 *   SLF4J ──▶ Logback ──▶ AttemptAppender ── does this thread carry out an attempt? ──▶ the attempt's log
 * </pre>
 *
 * <p>Law: a line that belongs to no attempt goes nowhere, and no line delays whoever wrote it.
 */
@NullMarked
package io.belfry.library.logback;

import org.jspecify.annotations.NullMarked;
