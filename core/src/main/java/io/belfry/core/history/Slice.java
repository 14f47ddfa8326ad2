package io.belfry.core.history;

import io.belfry.core.record.Rollup;
import java.time.Instant;

/** Statistics of the tasks that ended within one period, by its start. */
public record Slice(Instant start, Rollup figures) {}
