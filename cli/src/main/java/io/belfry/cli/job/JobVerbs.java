package io.belfry.cli.job;

import io.belfry.cli.verb.Group;
import io.belfry.cli.verb.Surroundings;
import java.util.List;
import picocli.CommandLine;

/** {@code belfry job}. */
public final class JobVerbs {
  private JobVerbs() {}

  public static CommandLine line(String description, Surroundings around) {
    return Group.of(
        "job",
        description,
        List.of(
            new JobApply(around),
            new JobGet(around),
            new JobList(around),
            new JobDelete(around),
            new JobEnable(around),
            new JobDisable(around),
            new JobTrigger(around),
            new JobExplain(around),
            new JobVersions(around),
            new JobRestore(around)));
  }
}
