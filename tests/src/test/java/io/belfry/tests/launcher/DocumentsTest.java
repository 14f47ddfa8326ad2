package io.belfry.tests.launcher;

import static io.belfry.testkit.engine.ServerProcess.accepts;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.testkit.Root;
import io.belfry.testkit.engine.Ports;
import io.belfry.testkit.engine.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands that the documentation shows, taken from its pages and typed as they stand. Only ports differ, because those
 * that everybody knows may be taken, and what Maven would build is what this build has built.
 */
@SuppressWarnings("NullAway.Init") // JUnit sets the fields
class DocumentsTest {
  private static final String PAGE = "docs/library.md";
  private static final List<String> SHOWN = ShownCommands.of(PAGE, "## Run the examples");

  @TempDir
  Path folder;

  private Checkout checkout;

  @BeforeEach
  void prepare() throws IOException {
    checkout = Checkout.in(folder);
    checkout.tool("mvn", """
        echo "$@" >> '%1$s/mvn.calls'
        case "$*" in *examples*) jar=examples/target/examples.jar ;; *) jar=dist/target/belfry.jar ;; esac
        mkdir -p "$(dirname '%1$s'/$jar)"
        cp '%2$s'/$jar '%1$s'/$jar
        """.formatted(folder, Root.FOLDER));
  }

  private static String example(String name) {
    return shown("./belfry example " + name + " ");
  }

  private static String shown(String beginning) {
    List<String> found =
        SHOWN.stream().filter(command -> command.startsWith(beginning)).toList();
    assertThat(found).as("commands in %s that begin with '%s'", PAGE, beginning).hasSize(1);
    return found.getFirst();
  }

  private String succeeds(String command) {
    Checkout.Ran ran = Checkout.finish(checkout.type(command));
    assertThat(ran.exit())
        .as("%s, which said\n%s%s", command, ran.out(), ran.err())
        .isZero();
    assertThat(ran.err().lines().filter(line -> !line.startsWith("belfry: building")))
        .as("what %s complained of", command)
        .isEmpty();
    return ran.out();
  }

  private ServerProcess serve(String command, int port, String... environment) {
    List<String> whole = Stream.of(
            Stream.of("env"), Stream.of(environment), Stream.of("sh", "-c", "exec " + command))
        .flatMap(words -> words)
        .toList();
    return ServerProcess.start(
        command, whole, ServerProcess.freshDirectory("shown"), accepts(port));
  }

  @Test
  void every_example_is_shown_and_nothing_else() throws IOException {
    Set<String> there;
    try (Stream<Path> files =
        Files.list(Root.FOLDER.resolve("examples/src/main/java/io/belfry/examples"))) {
      there = files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith("Example.java"))
          .map(name -> name.replace("Example.java", "").toLowerCase(Locale.ROOT))
          .collect(Collectors.toSet());
    }
    var shown = new HashSet<String>();
    var servers = new HashSet<String>();
    for (String command : SHOWN) {
      String[] words = command.split(" ", -1);
      if (command.startsWith("./belfry example ")) {
        shown.add(words[2]);
      } else {
        servers.add(words[0]);
      }
    }
    assertThat(shown).isEqualTo(there);
    assertThat(servers).containsExactlyInAnyOrder("redis-server", "etcd");
  }

  @Test
  void the_embedded_example_runs_as_shown_twice_and_is_built_once() throws IOException {
    String command = example("embedded");
    assertThat(succeeds(command)).contains("Invoice[customer=ada").endsWith("done\n");
    assertThat(succeeds(command)).endsWith("done\n");
    assertThat(checkout.builds()).isEqualTo(1);
    assertThat(Files.readString(folder.resolve("mvn.calls"))).contains("-pl examples -am package");
  }

  @Test
  void the_example_on_redis_runs_as_shown() {
    int port = Ports.free();
    String known = "6379";
    assertThat(shown("redis-server ")).contains("--port " + known);
    try (var redis = serve(shown("redis-server ").replace(known, "" + port), port)) {
      assertThat(succeeds(example("redis").replace(known, "" + port)))
          .contains("leads, term 1")
          .contains("leads, term 2")
          .endsWith("fired twice\n");
      assertThat(redis.isRunning()).isTrue();
    }
  }

  @Test
  void the_example_on_etcd_runs_as_shown() {
    List<Integer> ports = Ports.free(2);
    String client = "http://localhost:" + ports.get(0);
    String peer = "http://localhost:" + ports.get(1);
    assertThat(example("etcd")).contains("2379");
    try (var etcd = serve(
        shown("etcd "),
        ports.get(0),
        "ETCD_LISTEN_CLIENT_URLS=" + client,
        "ETCD_ADVERTISE_CLIENT_URLS=" + client,
        "ETCD_LISTEN_PEER_URLS=" + peer,
        "ETCD_INITIAL_ADVERTISE_PEER_URLS=" + peer,
        "ETCD_INITIAL_CLUSTER=default=" + peer)) {
      assertThat(succeeds(example("etcd").replace("2379", "" + ports.get(0))))
          .contains("100 of 100 accepted")
          .contains("all ended well");
      assertThat(etcd.isRunning()).isTrue();
    }
  }

  @Test
  void an_example_that_is_not_there_is_a_usage_error() {
    for (String none : List.of("example", "example mongo")) {
      Checkout.Ran ran = Checkout.finish(checkout.type("./belfry " + none));
      assertThat(ran.exit()).isEqualTo(2);
      assertThat(ran.err()).contains("embedded").contains("redis").contains("etcd");
    }
  }
}
