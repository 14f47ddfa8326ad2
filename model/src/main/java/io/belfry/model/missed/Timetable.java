package io.belfry.model.missed;

import java.time.Instant;
import java.util.Optional;

/** The instants at which a trigger is due. Both directions must name the same instants. */
public interface Timetable {

  /** The first due instant strictly after. */
  Optional<Instant> next(Instant after);

  /** The last due instant strictly before. */
  Optional<Instant> previous(Instant before);
}
