package io.belfry.cli;

import io.belfry.cli.show.Screen;
import io.belfry.cli.verb.Surroundings;
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
 * Runs the program as somebody at a terminal, or a script, would: on Monday, 2026-11-16, at ten o'clock.
 *
 * <p>Threading: confined to its test.
 */
final class Terminal {
  static final Instant NOW = Instant.parse("2026-11-16T10:00:00Z");

  /** What came of it. */
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

  /** In this folder. */
  Terminal in(Path there) {
    folder = there;
    return this;
  }

  /** With somebody before it. */
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

  /** Lets time pass, also while something runs. */
  void pass(Duration by) {
    passed.addAndGet(by.toNanos());
  }

  Ran run(String... arguments) {
    var out = new StringWriter();
    var err = new StringWriter();
    int exit = Main.commandLine(
            around(), List.of(), new PrintWriter(out, true), new PrintWriter(err, true), arguments)
        .execute(arguments);
    return new Ran(exit, out.toString(), err.toString());
  }

  /** The program, before it runs. */
  CommandLine program(PrintWriter out, String... arguments) {
    return Main.commandLine(around(), List.of(), out, out, arguments);
  }

  private Surroundings around() {
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
    return new Surroundings(
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
