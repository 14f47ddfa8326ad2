package io.belfry.server.verb;

import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;

/** The verbs of a program that runs a node. Threading: stateless. */
public final class ServerVerbs {
  private ServerVerbs() {}

  /** A node that schedules and works, unless it is configured to do one of them only. */
  public static CommandLine server(Map<String, String> environment) {
    return line(new ServerCommand(environment, Optional.empty()));
  }

  /** A node that schedules only. */
  public static CommandLine scheduler(Map<String, String> environment) {
    return line(new ServerCommand(environment, Optional.of("scheduler")));
  }

  /** A node that works only. */
  public static CommandLine worker(Map<String, String> environment) {
    return line(new ServerCommand(environment, Optional.of("worker")));
  }

  /** Looks at the configuration without starting anything. */
  public static CommandLine config(Map<String, String> environment) {
    return ConfigVerb.line(environment);
  }

  private static CommandLine line(Object command) {
    return new CommandLine(command);
  }
}
