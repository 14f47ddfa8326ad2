package io.belfry.core.record;

/**
 * How far history has been forgotten before its time would tell.
 *
 * @param lastEnd the newest end in all packs that were dropped and in which something may have been begun under a rate, in milliseconds:
 *     of what ended later, nothing of that kind is missing
 */
public record Forgotten(long lastEnd) {}
