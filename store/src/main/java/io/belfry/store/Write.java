package io.belfry.store;

/** One change of a commit. */
public sealed interface Write {
  Key key();

  /**
   * The key has this value, and belongs to no lease, or to the given one.
   *
   * @param value given away: the caller must not change it any more
   * @param lease {@link Lease#NONE}, or the lease whose end deletes the key
   */
  record Put(Key key, byte[] value, long lease) implements Write {
    public Put {
      if (value.length > Limits.VALUE_BYTES_MAX) {
        throw new TooLargeException(
            "The value of " + key, value.length, Limits.VALUE_BYTES_MAX, "bytes");
      }
    }
  }

  /** The key does not exist. Deleting what is absent is no error and no change. */
  record Delete(Key key) implements Write {}

  /** What the write weighs against the limits of a commit. */
  default int bytes() {
    return switch (this) {
      case Put put -> put.key.bytes() + put.value.length;
      case Delete delete -> delete.key.bytes();
    };
  }
}
