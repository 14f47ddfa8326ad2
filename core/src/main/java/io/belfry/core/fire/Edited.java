package io.belfry.core.fire;

import io.belfry.core.record.Cursor;
import io.belfry.model.missed.SkippedRange;
import java.util.Optional;

/**
 * What a change of a job commits beside the new definition.
 *
 * @param skipped what was due and not yet fired, and by the change never will be
 */
public record Edited(Cursor cursor, Optional<SkippedRange> skipped) {}
