package io.belfry.cli.verb;

import io.belfry.cli.show.Screen;
import io.belfry.model.time.Time;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * The environment of a verb: clock, variables, folder, streams. Tests replace it. Threading: immutable.
 *
 * @param folder the current folder
 * @param sleeper waits between polls
 */
public record VerbContext(
    Time time,
    ZoneId zone,
    Map<String, String> environment,
    Path folder,
    InputStream in,
    Screen screen,
    RandomGenerator random,
    Sleeper sleeper) {

  /** Sleeps. */
  @FunctionalInterface
  public interface Sleeper {
    void sleep(Duration time) throws InterruptedException;
  }
}
