package io.belfry.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.model.Check;
import java.util.Arrays;

/**
 * The name of one entry: a space and any non-empty bytes.
 *
 * <p>Threading: immutable. Built once and kept; the hash is computed once.
 */
public final class Key implements Comparable<Key> {
  private final Space space;
  private final byte[] name;
  private final int hash;

  private Key(Space space, byte[] name) {
    if (name.length == 0 || name.length > Limits.KEY_BYTES_MAX) {
      throw new IllegalArgumentException("A key's name must have 1 to " + Limits.KEY_BYTES_MAX
          + " bytes, but the one" + " given for space " + space + " has " + name.length
          + ". Shorten the id it is made of.");
    }
    this.space = space;
    this.name = name;
    this.hash = 31 * space.name().hashCode() + Arrays.hashCode(name);
  }

  /**
   * The text as UTF-8.
   *
   * @throws IllegalArgumentException if it is empty, too long, or has half of a surrogate pair, for all of which UTF-8 has the same '?'
   */
  public static Key of(Space space, String name) {
    int half = Check.halfAt(name);
    if (half >= 0) {
      throw new IllegalArgumentException(
          "A key's name must have whole characters, because all halves of characters would make the same key, but the one given for space "
              + space + " has \\u%04x alone at index %d".formatted((int) name.charAt(half), half)
              + ". Cut texts between characters, not within one.");
    }
    return new Key(space, name.getBytes(UTF_8));
  }

  /** The bytes are given away: the caller must not change them any more. */
  public static Key of(Space space, byte[] name) {
    return new Key(space, name);
  }

  public Space space() {
    return space;
  }

  /** Not a copy; not to be changed. */
  public byte[] name() {
    return name;
  }

  /** The name as text, for people and for names that were made of text. */
  public String text() {
    return new String(name, UTF_8);
  }

  /** What the key weighs against the limits of a commit. */
  int bytes() {
    return space.name().length() + 1 + name.length;
  }

  @Override
  public int compareTo(Key other) {
    int bySpace = space.name().compareTo(other.space.name());
    return bySpace != 0 ? bySpace : Arrays.compareUnsigned(name, other.name);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Key key
        && hash == key.hash
        && space.name().equals(key.space.name())
        && Arrays.equals(name, key.name);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return space + "/" + text();
  }
}
