package io.belfry.server.config;

import io.belfry.model.InvalidException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * What is wrong with a configuration: gathered, so that an operator can mend all of it at once, or thrown at the first.
 *
 * <p>Threading: confined to who reads.
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

  /** Goes on behind a step that refused what it was given. */
  public final void trying(Runnable step) {
    try {
      step.run();
    } catch (InvalidException e) {
      add(e);
    }
  }

  /** What the step gives, or the other one if it refused what it was given. */
  public final <T> T trying(T otherwise, Supplier<T> step) {
    try {
      return step.get();
    } catch (InvalidException e) {
      add(e);
      return otherwise;
    }
  }

  /** In the order in which they were found, each once. */
  public final List<InvalidException> all() {
    return List.copyOf(all);
  }
}
