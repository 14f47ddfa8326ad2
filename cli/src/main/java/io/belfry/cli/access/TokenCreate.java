package io.belfry.cli.access;

import io.belfry.cli.verb.Printer;
import io.belfry.cli.verb.Verb;
import io.belfry.cli.verb.VerbContext;
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
    description = "Create an API token and print it. It cannot be shown again.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  belfry token create dashboard --role viewer",
      "  belfry token create ci --role operator --expires-in 30d > ci.token"
    })
final class TokenCreate extends Verb {
  @Parameters(paramLabel = "NAME", description = "Display name of the new token.")
  private String name = "";

  @Option(
      names = "--role",
      required = true,
      paramLabel = "ROLE",
      description =
          "Role of the token: viewer (read), operator (also trigger, submit by job, cancel), developer (also define jobs and executors) or admin (also manage tokens and secrets).")
  private Role role = Role.VIEWER;

  @Option(
      names = "--all-namespaces",
      description = "Create a token for all namespaces. Requires the role admin in all namespaces.")
  private boolean allNamespaces;

  @Option(
      names = "--expires-in",
      paramLabel = "DURATION",
      description = "Lifetime of the token, such as 12h or 30d. Default: never expires.")
  private @Nullable String expiresIn;

  TokenCreate(VerbContext context) {
    super(context);
  }

  @Override
  protected int run(BelfryClient client, Printer printer) {
    String roleName = role.name().toLowerCase(Locale.ROOT);

    JsonNode answer =
        client.access().createToken(name, roleName, allNamespaces, Optional.ofNullable(expiresIn));
    if (printer.isDocument()) {
      printer.document(answer);
      return 0;
    }

    printer.say(answer.path("token").asString(""));
    String expires = printer.time(answer, "expires");
    printer.note("Created token " + name + " (id " + answer.path("id").asString("") + ", role "
        + roleName + (expires.isEmpty() ? ")" : ", expires " + expires + ")")
        + ". It cannot be shown again.");
    return 0;
  }

  /** Roles of the API. */
  enum Role {
    VIEWER,
    OPERATOR,
    DEVELOPER,
    ADMIN
  }
}
