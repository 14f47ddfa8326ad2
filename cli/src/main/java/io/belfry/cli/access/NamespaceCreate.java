package io.belfry.cli.access;

import io.belfry.cli.verb.Report;
import io.belfry.cli.verb.Surroundings;
import io.belfry.cli.verb.Verb;
import io.belfry.client.BelfryClient;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "create",
    description = "Makes a namespace. Needs an admin of all namespaces.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry namespace create billing --description 'invoices and reminders'")
final class NamespaceCreate extends Verb {
  @Parameters(paramLabel = "NAME", description = "Name of the new namespace.")
  private String name = "";

  @Option(names = "--description", paramLabel = "TEXT", description = "What it is for.")
  private @Nullable String description;

  NamespaceCreate(Surroundings around) {
    super(around);
  }

  @Override
  protected int run(BelfryClient client, Report report) {
    JsonNode answer = client.namespaces().create(name, Optional.ofNullable(description));
    if (report.isDocument()) {
      report.document(answer);
      return 0;
    }

    report.say("Namespace " + name + " is made. Use it with --namespace " + name
        + " or BELFRY_NAMESPACE.");
    return 0;
  }
}
