package io.belfry.cli.access;

import io.belfry.cli.verb.Report;
import io.belfry.cli.verb.Surroundings;
import io.belfry.cli.verb.Verb;
import io.belfry.client.BelfryClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "delete",
    description = "Closes a namespace that has no jobs and no unfinished tasks.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry namespace delete billing")
final class NamespaceDelete extends Verb {
  @Parameters(paramLabel = "NAME", description = "Name of the namespace.")
  private String name = "";

  NamespaceDelete(Surroundings around) {
    super(around);
  }

  @Override
  protected int run(BelfryClient client, Report report) {
    client.namespaces().delete(name);
    report.say("Namespace " + name + " is closed.");
    return 0;
  }
}
