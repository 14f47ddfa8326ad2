/**
 * One small program per engine, to be read and run; {@code docs/library.md} has the commands.
 *
 * <p>Law: each ends by itself, fails if it did not do what it says, and uses nothing but the public door.
 */
@NullMarked
package io.belfry.examples;

import org.jspecify.annotations.NullMarked;
