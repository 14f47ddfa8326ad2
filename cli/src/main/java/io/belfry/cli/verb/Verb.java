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

/** A verb that asks a server. Threading: confined to the program's one run. */
public abstract class Verb implements Callable<Integer> {
  private final Surroundings around;

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before it runs anything
  private CommandSpec spec;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Shows this.")
  @SuppressWarnings("UnusedVariable") // picocli acts on it
  private boolean help;

  @Mixin
  private Connection connection = new Connection();

  @Mixin
  private Look look = new Look();

  protected Verb(Surroundings around) {
    this.around = around;
  }

  @Override
  public final Integer call() throws IOException, InterruptedException {
    check();
    Report report =
        look.report(around, spec.commandLine().getOut(), spec.commandLine().getErr());
    try (BelfryClient client = connection.open(around)) {
      return run(client, report);
    } catch (BelfryException e) {
      throw connection.explain(e);
    }
  }

  /** Refuses options that do not fit together, before anything is asked. */
  protected void check() {}

  /** Does it, and says how it went: the exit code. */
  protected abstract int run(BelfryClient client, Report report)
      throws IOException, InterruptedException;

  protected final Surroundings around() {
    return around;
  }

  protected final ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
