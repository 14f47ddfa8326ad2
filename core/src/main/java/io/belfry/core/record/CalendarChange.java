package io.belfry.core.record;

import java.time.Instant;

/**
 * Marks that a calendar was changed and the cursors of the jobs that use it must still be planned anew. The leader deletes it when it has
 * done so.
 *
 * @param since when the oldest change was made that has not been processed
 */
public record CalendarChange(Instant since) {}
