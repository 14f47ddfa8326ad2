package io.belfry.core.election;

import io.belfry.core.record.Term;

/**
 * The right to decide, during one term.
 *
 * @param fence the revision of the term in the state store, which every write of this leader holds
 */
public record Leadership(Term term, long fence) {}
