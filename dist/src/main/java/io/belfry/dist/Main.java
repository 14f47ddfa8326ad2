package io.belfry.dist;

import io.belfry.cli.PluggedVerb;
import io.belfry.dist.bench.BenchCommand;
import io.belfry.dist.supply.AdvisoriesCommand;
import io.belfry.dist.supply.SbomCommand;
import io.belfry.server.demo.DemoCommand;
import io.belfry.server.verb.ServerVerbs;
import java.util.List;
import java.util.Map;

/** The complete program {@code belfry}: client verbs, and verbs that run a node. Threading: stateless. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    System.exit(io.belfry.cli.Main.run(args, verbs(System.getenv())));
  }

  private static List<PluggedVerb> verbs(Map<String, String> environment) {
    return List.of(
        new PluggedVerb(
            "demo", "Run a server with sample jobs, to try Belfry out.", DemoCommand::line),
        new PluggedVerb(
            "server",
            "Run a node: scheduler, worker, API and web interface.",
            () -> ServerVerbs.server(environment)),
        new PluggedVerb(
            "scheduler", "Run a node without a worker.", () -> ServerVerbs.scheduler(environment)),
        new PluggedVerb(
            "worker", "Run a node without a scheduler.", () -> ServerVerbs.worker(environment)),
        new PluggedVerb(
            "config",
            "Check and show the configuration of a node.",
            () -> ServerVerbs.config(environment)),
        new PluggedVerb(
            "bench",
            "Measure the throughput and the start latency of this installation.",
            () -> BenchCommand.line(environment)),
        new PluggedVerb(
            "sbom",
            "Print the software bill of materials (SBOM) of this program.",
            SbomCommand::line),
        new PluggedVerb(
            "advisories",
            "Check the SBOM against a list of published security advisories.",
            AdvisoriesCommand::line));
  }
}
