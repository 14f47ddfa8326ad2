package io.belfry.cli.verb;

import io.belfry.client.BelfryClient;
import io.belfry.client.BelfryException;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Base class of verbs that call a server. Threading: confined to the main thread. */
public abstract class Verb implements Callable<Integer> {
  private final VerbContext context;

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before it runs anything
  private CommandSpec spec;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  @SuppressWarnings("UnusedVariable") // picocli acts on it
  private boolean help;

  @Mixin
  private ConnectionOptions connection = new ConnectionOptions();

  @Mixin
  private OutputOptions output = new OutputOptions();

  protected Verb(VerbContext context) {
    this.context = context;
  }

  @Override
  public final Integer call() throws IOException, InterruptedException {
    check();
    Printer printer =
        output.printer(context, spec.commandLine().getOut(), spec.commandLine().getErr());
    try (BelfryClient client = connection.open(context)) {
      return run(client, printer);
    } catch (BelfryException e) {
      throw connection.explain(e);
    }
  }

  /** Refuses options that cannot be combined, before any call. */
  protected void check() {}

  /** Runs the verb and returns the exit code. */
  protected abstract int run(BelfryClient client, Printer printer)
      throws IOException, InterruptedException;

  protected final VerbContext context() {
    return context;
  }

  protected final ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
