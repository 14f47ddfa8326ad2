package io.belfry.cli.access;

import io.belfry.cli.verb.Printer;
import io.belfry.cli.verb.Verb;
import io.belfry.cli.verb.VerbContext;
import io.belfry.client.BelfryClient;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

@Command(
    name = "login-link",
    description =
        "Print a link that logs you in to the web interface with the rights of your token. It works once, within ten minutes.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry token login-link")
final class TokenLoginLink extends Verb {
  TokenLoginLink(VerbContext context) {
    super(context);
  }

  @Override
  protected int run(BelfryClient client, Printer printer) {
    JsonNode answer = client.access().loginLink();
    if (printer.isDocument()) {
      printer.document(answer);
      return 0;
    }

    printer.say(answer.path("url").asString(""));
    printer.note("The link works once and expires " + printer.time(answer, "expires") + ".");
    return 0;
  }
}
