package io.belfry.cli.access;

import io.belfry.cli.verb.Report;
import io.belfry.cli.verb.Surroundings;
import io.belfry.cli.verb.Verb;
import io.belfry.client.BelfryClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "delete",
    description = "Forgets a secret.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry secret delete billing-password")
final class SecretDelete extends Verb {
  @Parameters(paramLabel = "NAME", description = "Name of the secret.")
  private String name = "";

  SecretDelete(Surroundings around) {
    super(around);
  }

  @Override
  protected int run(BelfryClient client, Report report) {
    client.access().deleteSecret(name);
    report.say("Secret " + name + " is forgotten.");
    return 0;
  }
}
