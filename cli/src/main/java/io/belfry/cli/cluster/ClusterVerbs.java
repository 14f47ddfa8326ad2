package io.belfry.cli.cluster;

import io.belfry.cli.verb.Group;
import io.belfry.cli.verb.Surroundings;
import java.util.List;
import picocli.CommandLine;

/** {@code belfry cluster}. */
public final class ClusterVerbs {
  private ClusterVerbs() {}

  public static CommandLine line(String description, Surroundings around) {
    CommandLine strategy = Group.of(
        "strategy",
        "How workers are chosen: get, set, reset.",
        List.of(new StrategyGet(around), new StrategySet(around), new StrategyReset(around)));
    return Group.of("cluster", description, List.of(new ClusterStatus(around)))
        .addSubcommand("strategy", strategy)
        .addSubcommand(new ClusterPause(around))
        .addSubcommand(new ClusterResume(around))
        .addSubcommand(new ClusterEvents(around));
  }
}
