package io.belfry.dist.bench;

import io.belfry.cli.show.Output;
import io.belfry.cli.show.Progress;
import io.belfry.cli.show.Screen;
import io.belfry.cli.verb.Surroundings.Waiting;
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

/** {@code belfry bench}: how much and how punctually. Threading: confined to its run. */
@Command(
    mixinStandardHelpOptions = true,
    description = {
      "Measures this installation: how many tasks that do nothing a node in this process runs in a second, and how late tasks begin at a steady rate.",
      "It works in a directory or a namespace of its own, which is removed at the end."
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
          "embedded:dir, etcd://…, redis://…; login and certificates by BELFRY_STORE_… as for a server. Default: embedded, among the temporary files.")
  private @Nullable String store;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "How long each of the two takes, 1 to 600. Default: 10.")
  private int seconds = 10;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "Tasks a second while lateness is measured, 1 to 5000. Default: 200.")
  private int rate = 200;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "SHAPE",
      description = "table (default) or json.")
  private Output output = Output.TABLE;

  private BenchCommand(Map<String, String> environment) {
    this.environment = environment;
  }

  public static CommandLine line(Map<String, String> environment) {
    return new CommandLine(new BenchCommand(environment));
  }

  @Override
  public Integer call() throws InterruptedException {
    Check.between("--seconds", seconds, 1, SECONDS_MAX, "it shall come to an end");
    Check.between("--rate", rate, 1, RATE_MAX, "each of them is kept until the end");
    if (output == Output.YAML) {
      throw new ParameterException(spec.commandLine(), "--output must be table or json here.");
    }
    Logging.configure(Config.defaults().set("log.level", "error", "the bench"));
    PrintWriter out = spec.commandLine().getOut();
    try (Place place =
        Place.at(Optional.ofNullable(store), environment, new SecureRandom().nextLong())) {
      Figures figures = measure(place);
      if (output == Output.JSON) {
        out.println(json(place, figures));
      } else {
        print(place, figures, out);
      }
    }
    return 0;
  }

  private Figures measure(Place place) throws InterruptedException {
    var never = new CountDownLatch(1);
    Waiting waiting = breath -> {
      boolean unused = never.await(breath.toNanos(), TimeUnit.NANOSECONDS);
    };
    try (var bench = new Bench(place, time, waiting)) {
      bench.awaitLead();
      try (Progress bar = bar("warming up", WARM_UP)) {
        bench.throughput(WARM_UP, bar::advance);
      }
      Bench.Passed passed;
      try (Progress bar = bar("throughput", seconds)) {
        passed = bench.throughput(seconds, bar::advance);
      }
      try (Progress bar = bar("lateness  ", seconds)) {
        long[] late = bench.lateness(rate, seconds, bar::advance);
        return Figures.of(passed.tasks(), passed.seconds(), rate, late);
      }
    }
  }

  private Progress bar(String what, int all) {
    Screen screen = Screen.detect(environment, System.err.charset());
    return new Progress(spec.commandLine().getErr(), screen.err(), screen, what, all);
  }

  private static String json(Place place, Figures figures) {
    JsonMapper mapper = JsonMapper.builder().build();
    ObjectNode node = mapper.createObjectNode().put("store", place.shown());
    node.putObject("throughput")
        .put("tasks", figures.tasks())
        .put("seconds", rounded(figures.seconds()))
        .put("tasksPerSecond", rounded(figures.perSecond()));
    node.putObject("lateness")
        .put("rate", figures.rate())
        .put("p50Ms", rounded(figures.millis(0.5)))
        .put("p95Ms", rounded(figures.millis(0.95)))
        .put("p99Ms", rounded(figures.millis(0.99)))
        .put("maxMs", rounded(figures.millis(1)));
    return Output.JSON.document(node);
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }

  private void print(Place place, Figures figures, PrintWriter out) {
    out.println("store       " + place.shown());
    out.println(String.format(
        Locale.ROOT,
        "throughput  %,d tasks in %.1f s: %,.0f a second",
        figures.tasks(),
        figures.seconds(),
        figures.perSecond()));
    out.println(String.format(
        Locale.ROOT,
        "lateness    at %,d tasks a second: p50 %.1f ms, p95 %.1f ms, p99 %.1f ms, max %.1f ms",
        figures.rate(),
        figures.millis(0.5),
        figures.millis(0.95),
        figures.millis(0.99),
        figures.millis(1)));
    out.println();
    boolean unicode = System.out.charset().newEncoder().canEncode('█');
    Chart.lines(figures.bars(), unicode).forEach(out::println);
  }
}
