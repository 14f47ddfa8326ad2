/**
 * The launcher as a user meets it: other Java versions, a first build, two at once, what the documents tell to type.
 *
 * <p>Law: the script under test is the one at the root, never a copy of its logic.
 */
@NullMarked
package io.belfry.tests.launcher;

import org.jspecify.annotations.NullMarked;
