package io.belfry.core.journal;

/**
 * The log of one attempt.
 *
 * @param attempt counted from 1
 * @param worker that carried it out
 * @param text its lines; where some are missing, a line says how many
 * @param complete whether nothing follows; stays false for an attempt whose worker died
 */
public record AttemptText(int attempt, String worker, String text, boolean complete) {}
