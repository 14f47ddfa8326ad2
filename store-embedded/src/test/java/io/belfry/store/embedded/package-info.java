/**
 * What proves the embedded store, beside the contract of every store: crashes of real processes, damaged files, a full
 * disk, restarts.
 *
 * <p>Law: every promise about the disk is tested on a disk, or with a disk that fails on command.
 */
@NullMarked
package io.belfry.store.embedded;

import org.jspecify.annotations.NullMarked;
