package io.belfry.server.access;

import io.belfry.model.Check;
import io.belfry.model.time.Time;
import io.belfry.store.Commit;
import io.belfry.store.Key;
import io.belfry.store.Scan;
import java.util.List;
import java.util.Optional;

/** Which namespaces there are. Threading: safe. */
public final class NamespaceBook {
  private static final int NAMESPACES_MAX = 1000;

  private final Desk desk;
  private final Time time;

  public NamespaceBook(Desk desk, Time time) {
    this.desk = desk;
    this.time = time;
  }

  private static Key key(String name) {
    return Key.of(Spaces.NAMESPACES, name);
  }

  /** Makes one; empty if it is there already. */
  public Optional<NamespaceRecord> create(String name, String description) {
    var record = new NamespaceRecord(name, description, time.wall());
    int count = list().size();
    Check.that(
        count < NAMESPACES_MAX,
        "namespaces",
        count,
        "must be fewer than " + NAMESPACES_MAX + ", because every node opens all of them",
        "Delete some that nobody uses.");
    return desk.commit(Commit.when().absent(key(name)).put(key(name), Desk.bytes(record)))
        ? Optional.of(record)
        : Optional.empty();
  }

  public Optional<NamespaceRecord> find(String name) {
    return desk.find(key(name), NamespaceRecord.class);
  }

  /** All of them, by name. */
  public List<NamespaceRecord> list() {
    return desk.scan(Scan.all(Spaces.NAMESPACES)).entries().stream()
        .flatMap(entry -> Desk.legible(entry, NamespaceRecord.class).stream())
        .toList();
  }

  /** False if there was none. */
  public boolean delete(String name) {
    return desk.find(key(name)).isPresent() && desk.commit(Commit.when().delete(key(name)));
  }
}
