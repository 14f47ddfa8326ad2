package io.belfry.cli;

import io.belfry.model.cron.CronSyntaxException;
import io.belfry.model.time.Time;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
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
      "  dist      makes one jar and a tar.gz"
    })
public final class Main implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before it runs anything
  private CommandSpec spec;

  private Main() {}

  public static void main(String[] args) {
    var out = new PrintWriter(System.out, true, System.out.charset());
    var err = new PrintWriter(System.err, true, System.err.charset());
    System.exit(commandLine(Time.system(), out, err).execute(args));
  }

  static CommandLine commandLine(Time time, PrintWriter out, PrintWriter err) {
    return new CommandLine(new Main())
        .addSubcommand("cron", new CommandLine(new CronCommand()).addSubcommand(new CronNext(time)))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(true)
        .setOut(out)
        .setErr(err)
        .setExecutionExceptionHandler((failure, line, parsed) -> complain(line, failure));
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "A command is needed.");
  }

  /** What went wrong, in a sentence, never as a stack trace: the user cannot mend our code. */
  private static int complain(CommandLine line, Exception failure) throws Exception {
    if (failure instanceof CronSyntaxException syntax) {
      line.getErr().println("belfry: " + syntax.problem() + ". " + syntax.remedy());
      syntax.pointer().lines().forEach(each -> line.getErr().println("  " + each));
      return 1;
    }
    throw failure;
  }
}
