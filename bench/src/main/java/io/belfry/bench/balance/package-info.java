/** Strategies compared on simulated workers: no store, no clock but the simulated one. */
@NullMarked
package io.belfry.bench.balance;

import org.jspecify.annotations.NullMarked;
