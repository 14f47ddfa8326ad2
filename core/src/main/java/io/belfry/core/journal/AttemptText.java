package io.belfry.core.journal;

/**
 * The log of one attempt.
 *
 * @param attempt counted from 1
 * @param worker that ran it
 * @param text its lines; if some are missing, a line says how many
 * @param complete whether the log has ended; stays false for an attempt whose worker died
 */
public record AttemptText(int attempt, String worker, String text, boolean complete) {}
