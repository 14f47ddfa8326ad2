package io.belfry.cli.access;

import io.belfry.cli.verb.Printer;
import io.belfry.cli.verb.Verb;
import io.belfry.cli.verb.VerbContext;
import io.belfry.client.BelfryClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "delete",
    description = "Delete a namespace. It must have no jobs and no unfinished tasks.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry namespace delete billing")
final class NamespaceDelete extends Verb {
  @Parameters(paramLabel = "NAME", description = "Name of the namespace.")
  private String name = "";

  NamespaceDelete(VerbContext context) {
    super(context);
  }

  @Override
  protected int run(BelfryClient client, Printer printer) {
    client.namespaces().delete(name);
    printer.say("Namespace " + name + " is deleted.");
    return 0;
  }
}
