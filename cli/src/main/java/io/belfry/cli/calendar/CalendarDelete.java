package io.belfry.cli.calendar;

import io.belfry.cli.verb.Report;
import io.belfry.cli.verb.Surroundings;
import io.belfry.cli.verb.Verb;
import io.belfry.client.BelfryClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "delete",
    description = "Deletes a calendar that no job goes by.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry calendar delete working-days")
final class CalendarDelete extends Verb {
  @Parameters(paramLabel = "NAME", description = "Name of the calendar.")
  private String name = "";

  CalendarDelete(Surroundings around) {
    super(around);
  }

  @Override
  protected int run(BelfryClient client, Report report) {
    client.calendars().delete(name);
    report.say("Calendar " + name + " is deleted.");
    return 0;
  }
}
