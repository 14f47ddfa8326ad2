/** What no single module can show. */
@NullMarked
package io.belfry.tests;

import org.jspecify.annotations.NullMarked;
