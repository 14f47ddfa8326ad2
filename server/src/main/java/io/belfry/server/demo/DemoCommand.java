package io.belfry.server.demo;

import io.belfry.model.Check;
import io.belfry.server.config.Config;
import io.belfry.server.config.SettingsCatalog;
import io.belfry.server.verb.Logging;
import io.belfry.server.verb.Program;
import io.belfry.server.verb.StopSignal;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code belfry demo}: a server with sample jobs and a service that they call, until Ctrl-C. Threading: confined to its run. */
@Command(
    mixinStandardHelpOptions = true,
    description =
        "Run a server with sample jobs and a small service that they call, until Ctrl-C. Everything stays on this machine.",
    footerHeading = "%nExamples:%n",
    footer = {"  belfry demo", "  belfry demo --port 9000 --data my-demo"})
public final class DemoCommand implements Callable<Integer> {
  private static final int PORT = 8080;
  private static final int PORT_MAX = 65_535;

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before it runs anything
  private CommandSpec spec;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description =
          "Port on 127.0.0.1 for the web interface and the API; 0 selects a free port. Default: 8080, or a free port if that is in use.")
  private @Nullable Integer port;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "Data directory, kept for the next run. Default: a temporary directory, which is deleted at the end.")
  private @Nullable Path data;

  private DemoCommand() {}

  public static CommandLine line() {
    return new CommandLine(new DemoCommand());
  }

  @Override
  public Integer call() throws InterruptedException {
    int asked = port == null ? PORT : port;
    Check.between("--port", asked, 0, PORT_MAX, "port numbers end at 65535");
    PrintWriter out = spec.commandLine().getOut();
    int free = isFree(asked) ? asked : 0;
    if (free != asked) {
      out.println("Port " + asked + " is in use; using a free port instead.");
    }
    try (StopSignal stop = StopSignal.listen();
        DemoFolder folder = DemoFolder.open(Optional.ofNullable(data))) {
      run(folder, free, stop, out);
    }
    return 0;
  }

  private static void run(DemoFolder folder, int port, StopSignal stop, PrintWriter out)
      throws InterruptedException {
    // Environment variables are meant for a real server and may name a real store, so the demo
    // ignores them.
    Config config = Config.defaults()
        .set(SettingsCatalog.DATA.key(), folder.path().toString(), "the demo")
        .set(SettingsCatalog.SERVER_LISTEN.key(), "127.0.0.1:" + port, "the demo")
        .set(SettingsCatalog.SERVER_STOP.key(), "500ms", "the demo")
        .set(SettingsCatalog.WORKER_NAME.key(), "demo", "the demo")
        .set(SettingsCatalog.LOG_LEVEL.key(), "warn", "the demo");
    var over = new CountDownLatch(1);
    try (Logging log = Logging.configure(config);
        DemoTarget target = DemoTarget.start(over);
        Program program = Program.start(config, new DemoHandlers(over)::register)) {
      try {
        var fill = new DemoFill(program.address(), folder.token());
        DemoFill.Amounts made = fill.fill(target.url());
        new DemoWelcome(program, target.url(), folder).print(made, out);
        stop.await();
        out.println("Shutting down.");
      } finally {
        over.countDown();
      }
    }
  }

  private static boolean isFree(int port) {
    try (var probe = new ServerSocket()) {
      probe.setReuseAddress(true); // as the server does, which may follow one that has just ended
      probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
