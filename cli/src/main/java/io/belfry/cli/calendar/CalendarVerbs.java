package io.belfry.cli.calendar;

import io.belfry.cli.verb.Group;
import io.belfry.cli.verb.VerbContext;
import java.util.List;
import picocli.CommandLine;

/** {@code belfry calendar}. */
public final class CalendarVerbs {
  private CalendarVerbs() {}

  public static CommandLine line(String description, VerbContext context) {
    return Group.of(
        "calendar",
        description,
        List.of(
            new CalendarList(context),
            new CalendarGet(context),
            new CalendarApply(context),
            new CalendarDelete(context)));
  }
}
