package io.belfry.server.verb;

import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;

/** The CLI commands of the server. Threading: stateless. */
public final class ServerVerbs {
  private ServerVerbs() {}

  /** {@code belfry server}: runs a node with the configured roles. */
  public static CommandLine server(Map<String, String> environment) {
    return line(new ServerCommand(environment, Optional.empty()));
  }

  /** {@code belfry scheduler}: runs a node with the scheduler role. */
  public static CommandLine scheduler(Map<String, String> environment) {
    return line(new ServerCommand(environment, Optional.of("scheduler")));
  }

  /** {@code belfry worker}: runs a node with the worker role. */
  public static CommandLine worker(Map<String, String> environment) {
    return line(new ServerCommand(environment, Optional.of("worker")));
  }

  /** {@code belfry config}: checks and shows the configuration. */
  public static CommandLine config(Map<String, String> environment) {
    return ConfigVerb.line(environment);
  }

  private static CommandLine line(Object command) {
    return new CommandLine(command);
  }
}
