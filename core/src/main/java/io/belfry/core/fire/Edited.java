package io.belfry.core.fire;

import io.belfry.core.record.Cursor;
import io.belfry.model.missed.SkippedRange;
import java.util.Optional;

/**
 * What a change of a job commits along with the new definition.
 *
 * @param skipped instants that were due and not yet fired, and never will be because of the change
 */
public record Edited(Cursor cursor, Optional<SkippedRange> skipped) {}
