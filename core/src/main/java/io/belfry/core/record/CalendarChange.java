package io.belfry.core.record;

import java.time.Instant;

/**
 * That a calendar was changed, and the cursors of the jobs that go by it are still to be planned anew. It stands until the leader has
 * done so.
 *
 * @param since when the oldest change was made that is not done with
 */
public record CalendarChange(Instant since) {}
