/** Whole tasks, from the submission to the accepted end. */
@NullMarked
package io.belfry.bench.task;

import org.jspecify.annotations.NullMarked;
