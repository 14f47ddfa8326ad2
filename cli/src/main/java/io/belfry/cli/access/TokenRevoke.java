package io.belfry.cli.access;

import io.belfry.cli.verb.Report;
import io.belfry.cli.verb.Surroundings;
import io.belfry.cli.verb.Verb;
import io.belfry.client.BelfryClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "revoke",
    description = "Revokes a token; every node refuses it from then on.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry token revoke 4f2a")
final class TokenRevoke extends Verb {
  @Parameters(
      paramLabel = "ID",
      description = "Id of the token, as 'token list' shows it; not the token itself.")
  private String id = "";

  TokenRevoke(Surroundings around) {
    super(around);
  }

  @Override
  protected int run(BelfryClient client, Report report) {
    client.access().revokeToken(id);
    report.say("Token " + id + " is revoked.");
    return 0;
  }
}
