package io.belfry.server.demo;

import io.belfry.model.Check;
import io.belfry.server.config.Catalogue;
import io.belfry.server.config.Config;
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
        "Runs a server with sample jobs, and a small service that they call, until Ctrl-C. Everything stays on this machine.",
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
          "Where the web interface and the API listen, on loopback; 0 takes a free one. Default: 8080, or a free one if that is taken.")
  private @Nullable Integer port;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "Keeps everything here, for the next time. Default: a temporary directory, which is removed at the end.")
  private @Nullable Path data;

  private DemoCommand() {}

  public static CommandLine line() {
    return new CommandLine(new DemoCommand());
  }

  @Override
  public Integer call() throws InterruptedException {
    int asked = port == null ? PORT : port;
    Check.between("--port", asked, 0, PORT_MAX, "others do not exist");
    PrintWriter out = spec.commandLine().getOut();
    int free = isFree(asked) ? asked : 0;
    if (free != asked) {
      out.println("Port " + asked + " is taken, so this takes a free one.");
    }
    try (StopSignal stop = StopSignal.listen();
        DemoFolder folder = DemoFolder.open(Optional.ofNullable(data))) {
      run(folder, free, stop, out);
    }
    return 0;
  }

  private static void run(DemoFolder folder, int port, StopSignal stop, PrintWriter out)
      throws InterruptedException {
    // What is set in the environment is meant for a real server, and may name a real store: none of
    // it is looked at here.
    Config config = Config.defaults()
        .set(Catalogue.DATA.key(), folder.path().toString(), "the demo")
        .set(Catalogue.SERVER_LISTEN.key(), "127.0.0.1:" + port, "the demo")
        .set(Catalogue.SERVER_STOP.key(), "500ms", "the demo")
        .set(Catalogue.WORKER_NAME.key(), "demo", "the demo")
        .set(Catalogue.LOG_LEVEL.key(), "warn", "the demo");
    var over = new CountDownLatch(1);
    try (Logging log = Logging.configure(config);
        DemoTarget target = DemoTarget.start(over);
        Program program = Program.start(config, new DemoHandlers(over)::register)) {
      try {
        var fill = new DemoFill(program.address(), folder.token());
        DemoFill.Amounts made = fill.fill(target.url());
        new DemoWelcome(program, target.url(), folder).print(made, out);
        stop.await();
        out.println("Stopping.");
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
