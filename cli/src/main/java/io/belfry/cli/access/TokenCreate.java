package io.belfry.cli.access;

import io.belfry.cli.verb.Report;
import io.belfry.cli.verb.Surroundings;
import io.belfry.cli.verb.Verb;
import io.belfry.client.BelfryClient;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "create",
    description = "Makes a token and prints it, this once.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  belfry token create dashboard --role viewer",
      "  belfry token create ci --role operator --expires-in 30d > ci.token"
    })
final class TokenCreate extends Verb {
  @Parameters(paramLabel = "NAME", description = "Name of the new token, for people.")
  private String name = "";

  @Option(
      names = "--role",
      required = true,
      paramLabel = "ROLE",
      description =
          "viewer (reads), operator (also triggers, submits by job, cancels), developer (also defines jobs and executors) or admin (also manages tokens and secrets).")
  private Role role = Role.VIEWER;

  @Option(
      names = "--all-namespaces",
      description = "Good in all namespaces; needs an admin of all.")
  private boolean allNamespaces;

  @Option(
      names = "--expires-in",
      paramLabel = "DURATION",
      description = "Such as 12h or 30d. Default: never.")
  private @Nullable String expiresIn;

  TokenCreate(Surroundings around) {
    super(around);
  }

  @Override
  protected int run(BelfryClient client, Report report) {
    String word = role.name().toLowerCase(Locale.ROOT);

    JsonNode answer =
        client.access().createToken(name, word, allNamespaces, Optional.ofNullable(expiresIn));
    if (report.isDocument()) {
      report.document(answer);
      return 0;
    }

    report.say(answer.path("token").asString(""));
    String expires = report.time(answer, "expires");
    report.note("This is token " + name + " (id " + answer.path("id").asString("") + ", " + word
        + (expires.isEmpty() ? ")" : ", expires " + expires + ")") + ". It is shown this once.");
    return 0;
  }

  /** As the API calls them. */
  enum Role {
    VIEWER,
    OPERATOR,
    DEVELOPER,
    ADMIN
  }
}
