package io.belfry.cli.access;

import io.belfry.cli.verb.Report;
import io.belfry.cli.verb.Surroundings;
import io.belfry.cli.verb.Verb;
import io.belfry.client.ApiException;
import io.belfry.client.BelfryClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "revoke",
    description =
        "Revokes a token; every node refuses it from then on. An admin of all namespaces revokes tokens of any namespace.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry token revoke 4f2a")
final class TokenRevoke extends Verb {
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;

  @Parameters(
      paramLabel = "ID",
      description = "Id of the token, as 'token list' shows it; not the token itself.")
  private String id = "";

  TokenRevoke(Surroundings around) {
    super(around);
  }

  @Override
  protected int run(BelfryClient client, Report report) {
    try {
      client.access().revokeToken(id);
    } catch (ApiException e) {
      revokeAnywhere(client, e);
    }
    report.say("Token " + id + " is revoked.");
    return 0;
  }

  /** Its namespace may be another than the one that is set, or be deleted. */
  private void revokeAnywhere(BelfryClient client, ApiException notHere) {
    if (notHere.status() != NOT_FOUND) {
      throw notHere;
    }
    try {
      client.access().revokeAnyToken(id);
    } catch (ApiException e) {
      throw e.status() == FORBIDDEN ? notHere : e;
    }
  }
}
