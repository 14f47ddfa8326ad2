package io.belfry.cli.cluster;

import io.belfry.cli.verb.Group;
import io.belfry.cli.verb.Surroundings;
import java.util.List;
import picocli.CommandLine;

/** {@code belfry workers}. */
public final class WorkersVerbs {
  private WorkersVerbs() {}

  public static CommandLine line(String description, Surroundings around) {
    return Group.of(
        "workers",
        description,
        List.of(new WorkersList(around), new WorkersDrain(around), new WorkersCapacity(around)));
  }
}
