package io.belfry.cli.access;

import io.belfry.cli.verb.Printer;
import io.belfry.cli.verb.Verb;
import io.belfry.cli.verb.VerbContext;
import io.belfry.client.BelfryClient;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "create",
    description = "Create a namespace. Requires the role admin in all namespaces.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry namespace create billing --description 'invoices and reminders'")
final class NamespaceCreate extends Verb {
  @Parameters(paramLabel = "NAME", description = "Name of the new namespace.")
  private String name = "";

  @Option(
      names = "--description",
      paramLabel = "TEXT",
      description = "Description of the namespace.")
  private @Nullable String description;

  NamespaceCreate(VerbContext context) {
    super(context);
  }

  @Override
  protected int run(BelfryClient client, Printer printer) {
    JsonNode answer = client.namespaces().create(name, Optional.ofNullable(description));
    if (printer.isDocument()) {
      printer.document(answer);
      return 0;
    }

    printer.say("Namespace " + name + " is created. Use it with --namespace " + name
        + " or BELFRY_NAMESPACE.");
    return 0;
  }
}
