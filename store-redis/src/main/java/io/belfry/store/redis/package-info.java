/** The store on Redis. */
@NullMarked
package io.belfry.store.redis;

import org.jspecify.annotations.NullMarked;
