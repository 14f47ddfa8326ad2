package io.belfry.cli.access;

import io.belfry.cli.verb.Printer;
import io.belfry.cli.verb.Verb;
import io.belfry.cli.verb.VerbContext;
import io.belfry.client.ApiException;
import io.belfry.client.BelfryClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "revoke",
    description =
        "Revoke a token. Every node refuses it afterwards. An admin of all namespaces can revoke tokens of any namespace.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry token revoke 4f2a")
final class TokenRevoke extends Verb {
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;

  @Parameters(
      paramLabel = "ID",
      description = "Id of the token, as shown by 'token list'; not the token itself.")
  private String id = "";

  TokenRevoke(VerbContext context) {
    super(context);
  }

  @Override
  protected int run(BelfryClient client, Printer printer) {
    try {
      client.access().revokeToken(id);
    } catch (ApiException e) {
      revokeAnywhere(client, e);
    }
    printer.say("Token " + id + " is revoked.");
    return 0;
  }

  /** Revokes a token whose namespace is not the selected one, or was deleted. */
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
