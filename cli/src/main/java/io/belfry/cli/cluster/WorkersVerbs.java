package io.belfry.cli.cluster;

import io.belfry.cli.verb.Group;
import io.belfry.cli.verb.VerbContext;
import java.util.List;
import picocli.CommandLine;

/** {@code belfry workers}. */
public final class WorkersVerbs {
  private WorkersVerbs() {}

  public static CommandLine line(String description, VerbContext context) {
    return Group.of(
        "workers",
        description,
        List.of(new WorkersList(context), new WorkersDrain(context), new WorkersCapacity(context)));
  }
}
