package io.belfry.core.record;

/**
 * How far history with rate limits has been deleted.
 *
 * @param lastEnd the newest end in all deleted segments with tasks that started under a rate limit, in milliseconds: of the tasks
 *     that ended later, none with a rate limit is missing
 */
public record Forgotten(long lastEnd) {}
