/** Compares load-balancing strategies on simulated workers, without a store and with a simulated clock. */
@NullMarked
package io.belfry.bench.balance;

import org.jspecify.annotations.NullMarked;
