package io.belfry.store.embedded;

import io.belfry.store.CommitObserver;
import java.nio.file.Path;

/**
 * Where an embedded store lives and what it may use.
 *
 * @param directory its own: nothing else may live there; created when absent, its parent must exist
 * @param memoryBytes native memory for caches and write buffers together
 * @param feedSteps recent steps kept for watchers, at most
 * @param feedBytes recent steps kept for watchers, at most, by what they weigh
 * @param roomBytes disk space that is left free: with less, writes are refused as full while tidying up still works
 * @param observer sees how commits get on
 */
public record EmbeddedSettings(
    Path directory,
    long memoryBytes,
    int feedSteps,
    long feedBytes,
    long roomBytes,
    CommitObserver observer) {
  static final long MIB = 1 << 20;

  public EmbeddedSettings {
    require(
        memoryBytes >= 16 * MIB,
        "memoryBytes",
        memoryBytes,
        "must be at least 16 MiB, so that several write buffers fit",
        "Raise it, or leave it at 128 MiB.");
    require(
        feedSteps >= 1,
        "feedSteps",
        feedSteps,
        "must be at least 1, because a watcher hears only what is kept",
        "Leave it at 100000.");
    require(
        feedBytes >= 2 * MIB,
        "feedBytes",
        feedBytes,
        "must be at least 2 MiB, so that the largest commit fits",
        "Leave it at 64 MiB.");
    require(
        roomBytes >= 0,
        "roomBytes",
        roomBytes,
        "must not be negative",
        "Set it to 0 to use the disk to its last byte, or leave it at 64 MiB.");
  }

  /** Everything at its default. */
  public static EmbeddedSettings of(Path directory) {
    return new EmbeddedSettings(
        directory, 128 * MIB, 100_000, 64 * MIB, 64 * MIB, CommitObserver.NONE);
  }

  public EmbeddedSettings memoryBytes(long bytes) {
    return new EmbeddedSettings(directory, bytes, feedSteps, feedBytes, roomBytes, observer);
  }

  public EmbeddedSettings feed(int steps, long bytes) {
    return new EmbeddedSettings(directory, memoryBytes, steps, bytes, roomBytes, observer);
  }

  public EmbeddedSettings roomBytes(long bytes) {
    return new EmbeddedSettings(directory, memoryBytes, feedSteps, feedBytes, bytes, observer);
  }

  public EmbeddedSettings observer(CommitObserver to) {
    return new EmbeddedSettings(directory, memoryBytes, feedSteps, feedBytes, roomBytes, to);
  }

  private static void require(boolean holds, String name, long got, String rule, String remedy) {
    if (!holds) {
      throw new IllegalArgumentException(name + " " + rule + ", but was " + got + ". " + remedy);
    }
  }
}
