/**
 * The house rules that a compiler cannot hold, as tests that read the sources and the classes.
 *
 * <p>Law: every complaint names its remedy.
 */
@NullMarked
package io.belfry.tests.house;

import org.jspecify.annotations.NullMarked;
