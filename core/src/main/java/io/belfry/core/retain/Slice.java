package io.belfry.core.retain;

import io.belfry.core.record.Rollup;
import java.time.Instant;

/** What became of tasks that ended within one stretch of time, from its start on. */
public record Slice(Instant start, Rollup figures) {}
