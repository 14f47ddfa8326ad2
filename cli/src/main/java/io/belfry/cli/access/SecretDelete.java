package io.belfry.cli.access;

import io.belfry.cli.verb.Printer;
import io.belfry.cli.verb.Verb;
import io.belfry.cli.verb.VerbContext;
import io.belfry.client.BelfryClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "delete",
    description = "Delete a secret.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry secret delete billing-password")
final class SecretDelete extends Verb {
  @Parameters(paramLabel = "NAME", description = "Name of the secret.")
  private String name = "";

  SecretDelete(VerbContext context) {
    super(context);
  }

  @Override
  protected int run(BelfryClient client, Printer printer) {
    client.access().deleteSecret(name);
    printer.say("Secret " + name + " is deleted.");
    return 0;
  }
}
