package io.belfry.cli.access;

import io.belfry.cli.verb.Report;
import io.belfry.cli.verb.Surroundings;
import io.belfry.cli.verb.Verb;
import io.belfry.client.BelfryClient;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

@Command(
    name = "login-link",
    description =
        "Prints a link that opens the web interface with your own rights, once, within ten minutes.",
    footerHeading = "%nExamples:%n",
    footer = "  belfry token login-link")
final class TokenLoginLink extends Verb {
  TokenLoginLink(Surroundings around) {
    super(around);
  }

  @Override
  protected int run(BelfryClient client, Report report) {
    JsonNode answer = client.access().loginLink();
    if (report.isDocument()) {
      report.document(answer);
      return 0;
    }

    report.say(answer.path("url").asString(""));
    report.note("The link works once; it expires " + report.time(answer, "expires") + ".");
    return 0;
  }
}
