package io.belfry.dist.bench;

import io.belfry.cli.show.OutputFormat;
import io.belfry.cli.show.Progress;
import io.belfry.cli.show.Screen;
import io.belfry.cli.verb.VerbContext.Sleeper;
import io.belfry.model.Check;
import io.belfry.model.time.Time;
import io.belfry.server.config.Config;
import io.belfry.server.verb.Logging;
import java.io.PrintWriter;
import java.security.SecureRandom;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code belfry bench}: measures throughput and start latency. Threading: confined to its run. */
@Command(
    mixinStandardHelpOptions = true,
    description = {
      "Measure this installation: how many empty tasks per second a node in this process runs, and how late tasks start at a steady rate.",
      "The bench uses its own directory or namespace and removes it at the end."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  belfry bench",
      "  belfry bench --store embedded:/mnt/disk --seconds 30 --rate 1000",
      "  belfry bench --store redis://localhost:6379 --output json"
    })
public final class BenchCommand implements Callable<Integer> {
  private static final int SECONDS_MAX = 600;
  private static final int RATE_MAX = 5000;
  private static final int WARM_UP = 2;

  private final Map<String, String> environment;
  private final Time time = Time.system();

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before it runs anything
  private CommandSpec spec;

  @Option(
      names = "--store",
      paramLabel = "URI",
      description =
          "Storage engine to measure: embedded:DIR, etcd://… or redis://…; set login and certificates with BELFRY_STORE_… as for a server. Default: embedded, in the temporary directory.")
  private @Nullable String store;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "Duration of each of the two measurements in seconds, 1 to 600. Default: 10.")
  private int seconds = 10;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "Tasks per second while start latency is measured, 1 to 5000. Default: 200.")
  private int rate = 200;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "Output format: table or json. Default: table.")
  private OutputFormat output = OutputFormat.TABLE;

  private BenchCommand(Map<String, String> environment) {
    this.environment = environment;
  }

  public static CommandLine line(Map<String, String> environment) {
    return new CommandLine(new BenchCommand(environment));
  }

  @Override
  public Integer call() throws InterruptedException {
    Check.between("--seconds", seconds, 1, SECONDS_MAX, "the bench must end");
    Check.between("--rate", rate, 1, RATE_MAX, "the latency of each task is kept in memory");
    if (output == OutputFormat.YAML) {
      throw new ParameterException(
          spec.commandLine(), "--output of the bench must be table or json, but was yaml.");
    }
    Logging.configure(Config.defaults().set("log.level", "error", "the bench"));
    PrintWriter out = spec.commandLine().getOut();
    try (BenchStore benchStore =
        BenchStore.at(Optional.ofNullable(store), environment, new SecureRandom().nextLong())) {
      BenchResult result = measure(benchStore);
      if (output == OutputFormat.JSON) {
        out.println(json(benchStore, result));
      } else {
        print(benchStore, result, out);
      }
    }
    return 0;
  }

  private BenchResult measure(BenchStore benchStore) throws InterruptedException {
    var never = new CountDownLatch(1);
    Sleeper sleeper = pause -> {
      boolean unused = never.await(pause.toNanos(), TimeUnit.NANOSECONDS);
    };
    try (var bench = new Bench(benchStore, time, sleeper)) {
      bench.awaitLeadership();
      try (Progress bar = bar("warming up", WARM_UP)) {
        bench.throughput(WARM_UP, bar::advance);
      }
      Bench.Throughput throughput;
      try (Progress bar = bar("throughput", seconds)) {
        throughput = bench.throughput(seconds, bar::advance);
      }
      try (Progress bar = bar("lateness  ", seconds)) {
        long[] late = bench.lateness(rate, seconds, bar::advance);
        return BenchResult.of(throughput.tasks(), throughput.seconds(), rate, late);
      }
    }
  }

  private Progress bar(String what, int all) {
    Screen screen = Screen.detect(environment, System.err.charset());
    return new Progress(spec.commandLine().getErr(), screen.err(), screen, what, all);
  }

  private static String json(BenchStore benchStore, BenchResult result) {
    JsonMapper mapper = JsonMapper.builder().build();
    ObjectNode node = mapper.createObjectNode().put("store", benchStore.shown());
    node.putObject("throughput")
        .put("tasks", result.tasks())
        .put("seconds", rounded(result.seconds()))
        .put("tasksPerSecond", rounded(result.perSecond()));
    node.putObject("lateness")
        .put("rate", result.rate())
        .put("p50Ms", rounded(result.millis(0.5)))
        .put("p95Ms", rounded(result.millis(0.95)))
        .put("p99Ms", rounded(result.millis(0.99)))
        .put("maxMs", rounded(result.millis(1)));
    return OutputFormat.JSON.document(node);
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }

  private void print(BenchStore benchStore, BenchResult result, PrintWriter out) {
    out.println("store       " + benchStore.shown());
    out.println(String.format(
        Locale.ROOT,
        "throughput  %,d tasks in %.1f s: %,.0f a second",
        result.tasks(),
        result.seconds(),
        result.perSecond()));
    out.println(String.format(
        Locale.ROOT,
        "lateness    at %,d tasks a second: p50 %.1f ms, p95 %.1f ms, p99 %.1f ms, max %.1f ms",
        result.rate(),
        result.millis(0.5),
        result.millis(0.95),
        result.millis(0.99),
        result.millis(1)));
    out.println();
    boolean unicode = System.out.charset().newEncoder().canEncode('█');
    Chart.lines(result.bars(), unicode).forEach(out::println);
  }
}
