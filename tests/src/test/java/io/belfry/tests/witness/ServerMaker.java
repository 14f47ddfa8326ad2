package io.belfry.tests.witness;

import io.belfry.library.HandlerModule;
import io.belfry.testkit.PrivateFile;
import io.belfry.testkit.engine.ServerProcess;
import io.belfry.tests.cluster.ServerNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Real servers as an operator starts them, with a jar of handlers that write into the ledger. Threading: confined to the driver.
 */
final class ServerMaker implements Fleet.Maker {
  static final String ADDRESS = "data/server.url";
  static final String TOKEN = "bft_the-token-of-the-witness-that-nobody-guesses-0123456789";

  private static final List<Class<?>> BODY = List.of(
      LedgerHandlers.class,
      LedgerPen.class,
      LedgerPen.Attempt.class,
      LedgerLine.class,
      LedgerLine.Entry.class,
      LedgerLine.What.class,
      Order.class,
      Stalls.class,
      WorkLength.class,
      Workload.class);

  private final Network network;
  private final int ledger;

  ServerMaker(Network network, int ledger) {
    this.network = network;
    this.ledger = ledger;
  }

  @Override
  public ServerProcess make(String role, String name) {
    Path directory = ServerProcess.freshDirectory("witness-" + name);
    token(directory.resolve("token"));
    jar(directory.resolve("handlers").resolve("ledger.jar"));
    Engine engine = network.engineOf(name);
    var flags = new ArrayList<>(List.of(
        "--store", engine.state(), "--port", "0", "--set", "namespaces=" + Engine.NAMESPACE));
    if (!engine.election().equals(engine.state())) {
      flags.addAll(List.of("--election", engine.election()));
    }
    flags.addAll(List.of(
        "--set",
        "worker.capacity=100",
        "--set",
        "handlers.directory=" + directory.resolve("handlers")));
    return ServerNode.launch(
            role.equals("node") ? "server" : role,
            name,
            Map.of(
                "BELFRY_ADMIN_TOKEN_FILE",
                directory.resolve("token").toString(),
                "BELFRY_NODE_NAME",
                name),
            flags,
            program(ledger, name, "-D" + LedgerHandlers.NAMESPACE + "=" + Engine.NAMESPACE),
            directory)
        .process();
  }

  static List<String> program(int ledger, String name, String... more) {
    var jvm = new ArrayList<>(List.of(
        "-Xmx256m",
        "-D" + LedgerHandlers.PORT + "=" + ledger,
        "-D" + LedgerHandlers.WORKER + "=" + name));
    jvm.addAll(List.of(more));
    return ServerNode.program(jvm.toArray(String[]::new));
  }

  static void token(Path file) {
    try {
      PrivateFile.write(file, TOKEN + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException("could not write " + file, e);
    }
  }

  /** The body's classes and what finds them, as somebody who writes handlers would segment them. */
  static void jar(Path file) {
    try {
      Files.createDirectories(Objects.requireNonNull(file.getParent()));
      try (var out = new ZipOutputStream(Files.newOutputStream(file))) {
        out.putNextEntry(new ZipEntry("META-INF/services/" + HandlerModule.class.getName()));
        out.write(LedgerHandlers.class.getName().getBytes(StandardCharsets.UTF_8));
        for (Class<?> each : BODY) {
          segment(each.getName(), out);
        }
        segment(LedgerHandlers.class.getName() + "$Line", out);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("could not segment the handlers", e);
    }
  }

  private static void segment(String name, ZipOutputStream out) throws IOException {
    String path = name.replace('.', '/') + ".class";
    try (InputStream in = Objects.requireNonNull(
        ServerMaker.class.getClassLoader().getResourceAsStream(path), path)) {
      out.putNextEntry(new ZipEntry(path));
      in.transferTo(out);
    }
  }
}
