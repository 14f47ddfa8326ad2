package io.belfry.core.fire;

import io.belfry.core.record.Cursor;
import java.time.Instant;
import java.util.Optional;

/** Comparisons of optional instants. Threading: stateless. */
final class InstantOrder {
  private InstantOrder() {}

  static Optional<Instant> later(Optional<Instant> a, Optional<Instant> b) {
    return a.isEmpty() || (b.isPresent() && b.get().isAfter(a.get())) ? b : a;
  }

  static boolean isAfter(Instant at, Optional<Instant> other) {
    return other.isPresent() && at.isAfter(other.get());
  }

  static boolean isAhead(Cursor cursor, Instant now) {
    return cursor.next().filter(at -> at.isAfter(now)).isPresent();
  }
}
