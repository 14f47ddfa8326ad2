package io.belfry.server.verb;

import io.belfry.server.config.Config;
import io.belfry.server.config.Problems;
import io.belfry.server.config.SettingsCatalog;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code belfry config check}. */
@Command(
    mixinStandardHelpOptions = true,
    description = {
      "Check the configuration: the file, environment variables and flags, as the server",
      "would read them. Prints all problems at once. Opens neither the store nor a port.",
      "Exit code 1 if there are problems."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  belfry config check --config belfry.yaml",
      "  belfry config check --config belfry.yaml --set leader.lease=5s",
      "",
      "All settings are described in docs/configuration.md."
    })
final class ConfigCheck implements Callable<Integer> {
  private final Map<String, String> environment;

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before it runs anything
  private CommandSpec spec;

  @Mixin
  private Startup startup = new Startup();

  ConfigCheck(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() {
    var problems = new Problems();
    Config config = startup.config(environment, problems);
    Inspection.of(config, problems);
    if (!problems.all().isEmpty()) {
      ProblemPrinter.print(problems.all(), spec.commandLine().getErr());
      return 1;
    }
    long given = SettingsCatalog.ALL.stream().filter(config::isSet).count();
    spec.commandLine()
        .getOut()
        .println("The configuration is valid: " + given + " of " + SettingsCatalog.ALL.size()
            + " settings are set, the others have their defaults.");
    return 0;
  }
}
