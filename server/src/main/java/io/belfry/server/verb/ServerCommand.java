package io.belfry.server.verb;

import io.belfry.model.Check;
import io.belfry.model.time.Time;
import io.belfry.server.config.Config;
import io.belfry.server.config.Problems;
import io.belfry.server.config.SettingsCatalog;
import io.belfry.server.node.LibrarySettings;
import io.belfry.server.node.Node;
import io.belfry.store.StoreException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code belfry server}, {@code scheduler} and {@code worker}: run a node until it is stopped. */
@Command(
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  belfry server",
      "  belfry server --store redis://localhost:6379 --port 8081",
      "  belfry worker --store etcd://a:2379,b:2379,c:2379 --set worker.labels=region=eu",
      "",
      "All settings are described in docs/configuration.md."
    })
final class ServerCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(ServerCommand.class);
  private static final Duration RETRY = Duration.ofMillis(500);

  private final Map<String, String> environment;
  private final Optional<String> role;

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before it runs anything
  private CommandSpec spec;

  @Mixin
  private Startup startup = new Startup();

  /**
   * The command.
   *
   * @param role only role of the node; empty: as configured
   */
  ServerCommand(Map<String, String> environment, Optional<String> role) {
    this.environment = environment;
    this.role = role;
  }

  @Override
  public Integer call() throws InterruptedException {
    var problems = new Problems();
    Config config = configured(problems);
    if (!problems.all().isEmpty()) {
      ProblemPrinter.print(problems.all(), spec.commandLine().getErr());
      return 1;
    }
    try {
      run(config);
      return 0;
    } catch (StoreException e) {
      spec.commandLine().getErr().println("belfry: " + e.getMessage());
      return 1;
    }
  }

  private void run(Config config) throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    try (StopSignal stop = StopSignal.listen();
        Logging log = Logging.configure(config);
        Program program = start(config, stop)) {
      announce(program, config, out);
      stop.await();
      out.println("Shutting down: waiting for running attempts to finish.");
    }
  }

  /** Retries while the engine is starting or failing over, because nodes and engines are often started together. */
  private static Program start(Config config, StopSignal stop) throws InterruptedException {
    Time time = Time.system();
    long deadline = time.nanos() + config.get(SettingsCatalog.SERVER_START).toNanos();
    boolean logged = false;
    while (true) {
      try {
        return Program.start(config);
      } catch (StoreException.Unavailable | StoreException.Unknown | StoreException.Overloaded e) {
        if (time.nanos() - deadline >= 0) {
          throw e;
        }
        if (!logged) {
          LOG.warn("Waiting for the engine, which does not respond yet: {}", e.getMessage());
          logged = true;
        }
        if (stop.await(RETRY)) {
          throw e;
        }
      }
    }
  }

  /** Reads and validates the configuration; if it has problems, nothing is opened. */
  private Config configured(Problems problems) {
    Config config = startup.config(environment, problems);
    if (role.isPresent()) {
      problems.trying(() -> Check.that(
          !startup.namesRoles(),
          "--roles",
          role.get(),
          "must not be used with a command that sets the role itself",
          "Leave it out, or use belfry server --roles."));
      config = config.set(SettingsCatalog.NODE_ROLES.key(), role.get(), "the command");
    }
    Inspection.of(config, problems);
    return config;
  }

  private static void announce(Program program, Config config, PrintWriter out) {
    Node node = program.node();
    out.println("Belfry " + Version.text() + " listens on " + program.address());
    out.println("  store   " + LibrarySettings.store(config).uri());
    node.adminToken().ifPresent(token -> {
      out.println("  token   " + token);
      out.println("          shown only once; the CLI reads it from "
          + LibrarySettings.data(config).resolve("admin.token"));
      node.tokens()
          .verify(token)
          .ifPresent(admin -> out.println("  login   " + program.address() + "/login#code="
              + node.sessions().link(admin) + "   (valid once, for ten minutes)"));
    });
    node.adminMadeBy().ifPresent(by -> {
      if (!Files.exists(LibrarySettings.data(config).resolve("admin.token"))) {
        out.println("  token   was created by node " + by + " at the first start of this cluster");
      }
    });
    if (program.isInsecure()) {
      out.println(
          "  warning other machines can reach this server without TLS (server.insecureListen)");
    }
  }
}
