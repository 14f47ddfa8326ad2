package io.belfry.cli;

import io.belfry.cli.verb.Group.MissingVerb;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(name = "cron", description = "Explain cron expressions.", mixinStandardHelpOptions = true)
final class CronCommand implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before it runs anything
  private CommandSpec spec;

  @Override
  public void run() {
    throw new MissingVerb(spec.commandLine());
  }
}
