package io.belfry.server.verb;

import io.belfry.server.config.Catalogue;
import io.belfry.server.config.Config;
import io.belfry.server.config.Problems;
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
      "Reads the file, the variables and the flags as a start would, and says all that is",
      "wrong with them at once. Opens nothing: neither the store nor a port.",
      "Exit code 1 if anything is wrong."
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
      Sentences.say(problems.all(), spec.commandLine().getErr());
      return 1;
    }
    long given = Catalogue.ALL.stream().filter(config::isSet).count();
    spec.commandLine()
        .getOut()
        .println("The configuration is fine: " + given + " of " + Catalogue.ALL.size()
            + " settings are given, the others have their defaults.");
    return 0;
  }
}
