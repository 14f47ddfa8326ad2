package io.belfry.cli.calendar;

import io.belfry.cli.verb.Printer;
import io.belfry.cli.verb.Verb;
import io.belfry.cli.verb.VerbContext;
import io.belfry.client.BelfryClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "delete",
    description = "Delete a calendar. No job may use it.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry calendar delete working-days")
final class CalendarDelete extends Verb {
  @Parameters(paramLabel = "NAME", description = "Name of the calendar.")
  private String name = "";

  CalendarDelete(VerbContext context) {
    super(context);
  }

  @Override
  protected int run(BelfryClient client, Printer printer) {
    client.calendars().delete(name);
    printer.say("Calendar " + name + " is deleted.");
    return 0;
  }
}
