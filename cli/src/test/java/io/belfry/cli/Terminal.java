package io.belfry.cli;

import io.belfry.cli.show.Screen;
import io.belfry.cli.verb.VerbContext;
import io.belfry.model.time.Time;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine;

/**
 * Runs the program as in a terminal or a script, on Monday, 2026-11-16, at 10:00 UTC.
 *
 * <p>Threading: confined to its test.
 */
final class Terminal {
  static final Instant NOW = Instant.parse("2026-11-16T10:00:00Z");

  /** Exit code and output of a run. */
  record Ran(int exit, String out, String err) {}

  private final Map<String, String> environment = new HashMap<>();
  private Screen screen = Screen.none();
  private String typed = "";
  private Path folder = Path.of("nowhere");
  private final AtomicLong passed = new AtomicLong();

  static Terminal at(StandIn server) {
    return new Terminal().with("BELFRY_URL", server.url()).with("BELFRY_TOKEN", StandIn.TOKEN);
  }

  static Terminal nowhere() {
    return new Terminal();
  }

  Terminal with(String variable, String value) {
    environment.put(variable, value);
    return this;
  }

  /** Sets the current folder. */
  Terminal in(Path there) {
    folder = there;
    return this;
  }

  /** Connects all streams to a terminal of this width. */
  Terminal wide(int columns) {
    screen = new Screen(true, true, true, () -> columns, true);
    return this;
  }

  Terminal ascii() {
    screen = new Screen(screen.in(), screen.out(), screen.err(), screen.columns(), false);
    return this;
  }

  Terminal typing(String text) {
    typed = text;
    return this;
  }

  /** Advances the clock, also during a run. */
  void pass(Duration by) {
    passed.addAndGet(by.toNanos());
  }

  Ran run(String... arguments) {
    var out = new StringWriter();
    var err = new StringWriter();
    int exit = Main.commandLine(
            context(), List.of(), new PrintWriter(out, true), new PrintWriter(err, true), arguments)
        .execute(arguments);
    return new Ran(exit, out.toString(), err.toString());
  }

  /** The program, before it runs. */
  CommandLine program(PrintWriter out, String... arguments) {
    return Main.commandLine(context(), List.of(), out, out, arguments);
  }

  private VerbContext context() {
    var elapsed = new AtomicLong();
    var time = new Time() {
      @Override
      public Instant wall() {
        return NOW.plusNanos(passed.get());
      }

      @Override
      public long nanos() {
        return elapsed.get();
      }
    };
    return new VerbContext(
        time,
        ZoneOffset.UTC,
        Map.copyOf(environment),
        folder,
        new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8)),
        screen,
        new Random(7),
        wait -> elapsed.addAndGet(wait.toNanos()));
  }
}
