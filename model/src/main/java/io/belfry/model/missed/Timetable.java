package io.belfry.model.missed;

import java.time.Instant;
import java.util.Optional;

/** The instants at which a trigger is due, in both directions. The two must agree with each other. */
public interface Timetable {

  /** The first due instant strictly after. */
  Optional<Instant> next(Instant after);

  /** The last due instant strictly before. */
  Optional<Instant> previous(Instant before);
}
