package io.belfry.store;

import java.util.Optional;

/** Something that can be watched: a whole space, or one key of a space whose keys are watched one by one. */
public record Feed(Space space, Optional<Key> key) {

  public Feed {
    boolean fits = key.isPresent()
        ? space.watched() == Space.Watched.BY_KEY && key.get().space().equals(space)
        : space.watched() == Space.Watched.TOGETHER;
    if (!fits) {
      throw new IllegalArgumentException(
          "A feed is a space watched together, or a key of a space watched by key, but "
              + (key.isPresent() ? key.get() : space) + " is watched " + space.watched()
              + ". Declare the space as needed.");
    }
  }

  public static Feed of(Space space) {
    return new Feed(space, Optional.empty());
  }

  public static Feed of(Key key) {
    return new Feed(key.space(), Optional.of(key));
  }

  public boolean covers(Key other) {
    return key.map(other::equals).orElseGet(() -> other.space().equals(space));
  }

  @Override
  public String toString() {
    return key.map(Key::toString).orElseGet(space::toString);
  }
}
