package io.belfry.store;

/** One key's change, as a watcher hears it. */
public sealed interface Change {
  Key key();

  record Put(Entry entry) implements Change {
    @Override
    public Key key() {
      return entry.key();
    }
  }

  /** By a commit, or because its lease ended. */
  record Deleted(Key key) implements Change {}
}
