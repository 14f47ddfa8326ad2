package io.belfry.cli;

import io.belfry.cli.show.Screen;
import io.belfry.cli.verb.Group.MissingVerb;
import io.belfry.cli.verb.Look;
import io.belfry.cli.verb.Surroundings;
import io.belfry.model.time.Time;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The program {@code belfry}. */
@Command(
    name = "belfry",
    description = "A distributed task scheduler that cannot double or lose a fire.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "In a checkout of the sources also:",
      "  test      installs what the tests need and runs all tests",
      "  dist      makes one jar, a tar.gz and the SBOM",
      "",
      "Commands ask the server that --url and --token or BELFRY_URL and BELFRY_TOKEN",
      "name, or the one on this machine with the data directory belfry-data. All of",
      "them are described in docs/cli.md."
    })
public final class Main implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before it runs anything
  private CommandSpec spec;

  private Main() {}

  public static void main(String[] args) {
    System.exit(run(args, List.of()));
  }

  /** Runs the program with the verbs of other modules beside its own, and returns the exit code. */
  public static int run(String[] args, List<MoreVerb> more) {
    var out = new PrintWriter(System.out, true, System.out.charset());
    var err = new PrintWriter(System.err, true, System.err.charset());
    int exit = commandLine(surroundings(), more, out, err, args).execute(args);
    out.flush();
    return exit;
  }

  private static Surroundings surroundings() {
    var never = new CountDownLatch(1);
    return new Surroundings(
        Time.system(),
        ZoneId.systemDefault(),
        System.getenv(),
        Path.of(""),
        System.in,
        Screen.detect(System.getenv(), System.out.charset()),
        new LazyRandom(),
        time -> {
          boolean unused = never.await(time.toNanos(), TimeUnit.NANOSECONDS);
        });
  }

  /** The system's own source of chance takes a while to open, and most verbs need none. */
  private static final class LazyRandom implements RandomGenerator {
    @Override
    public long nextLong() {
      return new SecureRandom().nextLong();
    }
  }

  /**
   * The program, ready to run these arguments.
   *
   * @param more verbs of other modules, which come first
   */
  public static CommandLine commandLine(
      Surroundings around, List<MoreVerb> more, PrintWriter out, PrintWriter err, String... args) {
    var line = new CommandLine(new Main());
    new Verbs(around, more).addTo(line, List.of(args));
    boolean colours = around.screen().out() && Look.wantsColours(around.environment());
    return line.setCaseInsensitiveEnumValuesAllowed(true)
        // A word @FILE is a payload or a macro; picocli would take what the file holds for words of
        // the command.
        .setExpandAtFiles(false)
        .setUsageHelpAutoWidth(around.screen().out())
        .setColorScheme(Help.defaultColorScheme(colours ? Help.Ansi.ON : Help.Ansi.OFF))
        .setOut(out)
        .setErr(err)
        .setParameterExceptionHandler(Complaints::aboutUse)
        .setExecutionExceptionHandler((failure, verb, parsed) -> Complaints.about(verb, failure));
  }

  @Override
  public void run() {
    throw new MissingVerb(spec.commandLine());
  }
}
