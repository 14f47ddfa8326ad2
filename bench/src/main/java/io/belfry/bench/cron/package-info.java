/** How long a cron expression takes to say when it fires. */
@NullMarked
package io.belfry.bench.cron;

import org.jspecify.annotations.NullMarked;
