package io.belfry.server.rest;

import static io.belfry.server.rest.Permission.DEVELOPER;
import static io.belfry.server.rest.Permission.VIEWER;

import io.belfry.core.calendar.Calendar;
import io.belfry.library.Belfry;
import io.belfry.model.InvalidException;
import io.belfry.server.form.CalendarForm;
import java.util.List;

/** Calendars over REST. Threading: stateless. */
final class CalendarRoutes {
  private static final String CALENDARS = Spot.NS + "/calendars";
  private static final String CALENDAR = CALENDARS + "/{calendar}";

  private final Spot spot;

  CalendarRoutes(Spot spot) {
    this.spot = spot;
  }

  List<Route> all() {
    return List.of(
        Route.get("listCalendars", CALENDARS, VIEWER, this::list).costs(Cost.LIST),
        Route.get("getCalendar", CALENDAR, VIEWER, this::get).costs(Cost.RECORD),
        Route.put("putCalendar", CALENDAR, DEVELOPER, this::put),
        Route.delete("deleteCalendar", CALENDAR, DEVELOPER, this::delete));
  }

  private Answer list(Call call) {
    call.knows("cursor");
    return Listed.page(call, spot.of(call).calendars().list(), Calendar::name, CalendarForm::write);
  }

  private static Problem missing(Call call) {
    return Problem.notFound("calendar", call.path("calendar"));
  }

  private Answer get(Call call) {
    Calendar calendar =
        spot.of(call).calendars().get(call.path("calendar")).orElseThrow(() -> missing(call));
    return Answer.ok(CalendarForm.write(calendar));
  }

  private Answer put(Call call) {
    Calendar wanted = CalendarForm.read(call.body(), call.path("calendar"));
    return Answer.ok(CalendarForm.write(spot.of(call).calendars().save(wanted)));
  }

  private Answer delete(Call call) {
    Belfry belfry = spot.of(call);
    String name = call.path("calendar");
    if (belfry.calendars().get(name).isEmpty()) {
      throw missing(call);
    }
    try {
      if (!belfry.calendars().delete(name)) {
        throw missing(call);
      }
    } catch (InvalidException e) { // the name is good, so it is that jobs go by it
      throw Problem.at("calendar", Problem.Code.CONFLICT, String.valueOf(e.getMessage()));
    }
    return Answer.nothing(204);
  }
}
