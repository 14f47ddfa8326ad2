package io.belfry.tests.witness;

import java.time.Instant;

/** A fault that was inflicted. */
record Strike(Fault fault, Instant at) {}
