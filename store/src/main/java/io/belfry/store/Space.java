package io.belfry.store;

import java.util.regex.Pattern;

/**
 * A named part of the key space that declares what it needs; what it does not declare costs nothing.
 *
 * @param name short and stable: it is part of every key
 * @param ordered whether its keys can be scanned
 * @param watched whether, and at what grain, its changes can be watched
 */
public record Space(String name, boolean ordered, Watched watched) {

  /** The grain at which a space can be watched. */
  public enum Watched {
    /** Not at all. */
    NO,
    /** All keys of the space as one feed. */
    TOGETHER,
    /** Each key by itself: inboxes, where a hundred readers must not each read everything. */
    BY_KEY
  }

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]{0,15}");

  public Space {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "The name of a space must match " + NAME + ", because it becomes part of every"
              + " key, but was '" + name + "'. Choose a short lower-case word.");
    }
  }

  /** A space that can only be read by key: the cheapest kind. */
  public static Space plain(String name) {
    return new Space(name, false, Watched.NO);
  }

  /** The same space, scannable. */
  public Space inOrder() {
    return new Space(name, true, watched);
  }

  /** The same space, watchable as one feed. */
  public Space watchedTogether() {
    return new Space(name, ordered, Watched.TOGETHER);
  }

  /** The same space, each key watchable by itself. */
  public Space watchedByKey() {
    return new Space(name, ordered, Watched.BY_KEY);
  }

  @Override
  public String toString() {
    return name;
  }
}
