package io.belfry.cli;

import io.belfry.cli.show.Screen;
import io.belfry.cli.verb.Group.MissingVerb;
import io.belfry.cli.verb.OutputOptions;
import io.belfry.cli.verb.VerbContext;
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

/** The command-line program {@code belfry}. */
@Command(
    name = "belfry",
    description = "Distributed task scheduler: no fire is lost, and no fire creates two tasks.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Only in a source checkout:",
      "  test      Install the test tools, build, and run all tests.",
      "  dist      Build the jar, the tar.gz and the SBOM.",
      "",
      "Commands connect to the server given with --url and --token, or with",
      "BELFRY_URL and BELFRY_TOKEN. Otherwise they connect to the local server",
      "whose data directory is ./belfry-data. Use 'belfry COMMAND --help' for more",
      "about a command. Reference: docs/cli.md"
    })
public final class Main implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before it runs anything
  private CommandSpec spec;

  private Main() {}

  public static void main(String[] args) {
    System.exit(run(args, List.of()));
  }

  /** Runs the program with its own verbs and those of other modules. Returns the exit code. */
  public static int run(String[] args, List<PluggedVerb> more) {
    var out = new PrintWriter(System.out, true, System.out.charset());
    var err = new PrintWriter(System.err, true, System.err.charset());
    int exit = commandLine(systemContext(), more, out, err, args).execute(args);
    out.flush();
    return exit;
  }

  private static VerbContext systemContext() {
    var never = new CountDownLatch(1);
    return new VerbContext(
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

  /** Opens {@link SecureRandom} on first use: opening takes a while, and most verbs need no random numbers. */
  private static final class LazyRandom implements RandomGenerator {
    @Override
    public long nextLong() {
      return new SecureRandom().nextLong();
    }
  }

  /**
   * Builds the command line for these arguments.
   *
   * @param more verbs of other modules, listed first
   */
  public static CommandLine commandLine(
      VerbContext context,
      List<PluggedVerb> more,
      PrintWriter out,
      PrintWriter err,
      String... args) {
    var line = new CommandLine(new Main());
    new Verbs(context, more).addTo(line, List.of(args));
    boolean colors = context.screen().out() && OutputOptions.wantsColors(context.environment());
    return line.setCaseInsensitiveEnumValuesAllowed(true)
        // An argument @FILE is a payload or a cron macro; picocli would replace it by arguments
        // read
        // from that file.
        .setExpandAtFiles(false)
        .setUsageHelpAutoWidth(context.screen().out())
        .setColorScheme(Help.defaultColorScheme(colors ? Help.Ansi.ON : Help.Ansi.OFF))
        .setOut(out)
        .setErr(err)
        .setParameterExceptionHandler(ErrorHandler::misuse)
        .setExecutionExceptionHandler(
            (failure, verb, parsed) -> ErrorHandler.failure(verb, failure));
  }

  @Override
  public void run() {
    throw new MissingVerb(spec.commandLine());
  }
}
