package io.belfry.server.verb;

import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code belfry config}: checks and shows the configuration of a node without starting it. */
@Command(
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = "Check and show the configuration of a node.")
final class ConfigVerb implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before it runs anything
  private CommandSpec spec;

  private ConfigVerb() {}

  static CommandLine line(Map<String, String> environment) {
    return new CommandLine(new ConfigVerb())
        .addSubcommand("check", new ConfigCheck(environment))
        .addSubcommand("show", new ConfigShow(environment));
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "'belfry config' needs a command: check or show.");
  }
}
