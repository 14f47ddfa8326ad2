/** Benchmarks of cron expressions: the time to compute the next fire. */
@NullMarked
package io.belfry.bench.cron;

import org.jspecify.annotations.NullMarked;
