package io.belfry.cli.calendar;

import io.belfry.cli.verb.Group;
import io.belfry.cli.verb.Surroundings;
import java.util.List;
import picocli.CommandLine;

/** {@code belfry calendar}. */
public final class CalendarVerbs {
  private CalendarVerbs() {}

  public static CommandLine line(String description, Surroundings around) {
    return Group.of(
        "calendar",
        description,
        List.of(
            new CalendarList(around),
            new CalendarGet(around),
            new CalendarApply(around),
            new CalendarDelete(around)));
  }
}
