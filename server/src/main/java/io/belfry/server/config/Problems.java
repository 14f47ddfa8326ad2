package io.belfry.server.config;

import io.belfry.model.InvalidException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Collects the problems of a configuration, so that an operator can fix all of them at once, or throws the first one.
 *
 * <p>Threading: confined to the reader.
 */
public class Problems {
  /** Throws the first one. */
  public static final Problems THROWN = new Problems() {
    @Override
    public void add(InvalidException problem) {
      throw problem;
    }
  };

  private final List<InvalidException> all = new ArrayList<>();

  public void add(InvalidException problem) {
    if (all.stream()
        .noneMatch(known -> String.valueOf(known.getMessage()).equals(problem.getMessage()))) {
      all.add(problem);
    }
  }

  /** Runs a step; a refusal is added to the problems. */
  public final void trying(Runnable step) {
    try {
      step.run();
    } catch (InvalidException e) {
      add(e);
    }
  }

  /** Runs a step and returns its result; a refusal is added to the problems, and the alternative is returned. */
  public final <T> T trying(T otherwise, Supplier<T> step) {
    try {
      return step.get();
    } catch (InvalidException e) {
      add(e);
      return otherwise;
    }
  }

  /** All problems without duplicates, in the order in which they were found. */
  public final List<InvalidException> all() {
    return List.copyOf(all);
  }
}
