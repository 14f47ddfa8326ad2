package io.belfry.core.log;

/**
 * The log of one attempt.
 *
 * @param attempt counted from 1
 * @param worker that ran it
 * @param text its lines; if some are missing, a line says how many
 * @param complete whether the log has ended; stays false for an attempt whose worker died
 */
public record AttemptLog(int attempt, String worker, String text, boolean complete) {}
