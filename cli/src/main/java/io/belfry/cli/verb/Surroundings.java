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
 * What a verb finds around it, so that a test can put something else there. Threading: immutable.
 *
 * @param folder the current one
 */
public record Surroundings(
    Time time,
    ZoneId zone,
    Map<String, String> environment,
    Path folder,
    InputStream in,
    Screen screen,
    RandomGenerator random,
    Waiting waiting) {

  /** Lets time pass. */
  @FunctionalInterface
  public interface Waiting {
    void await(Duration time) throws InterruptedException;
  }
}
