package io.belfry.store;

/**
 * What stands under a key.
 *
 * @param value not a copy; not to be changed
 * @param revision of the step that wrote it
 */
public record Entry(Key key, byte[] value, long revision) {}
