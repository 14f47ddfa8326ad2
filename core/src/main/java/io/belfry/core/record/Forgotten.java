package io.belfry.core.record;

/**
 * How far history has been forgotten before its time would tell.
 *
 * @param lastEnd the newest end of all tasks that were dropped, in milliseconds: of what ended later, nothing is missing
 */
public record Forgotten(long lastEnd) {}
