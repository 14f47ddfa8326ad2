package io.belfry.tests.simulation;

import java.util.Set;

/** Prints the hash of a run, so that two processes can be compared. */
public final class TraceHash {
  private TraceHash() {}

  public static void main(String[] arguments) {
    System.out.println(of(Long.parseLong(arguments[0])));
  }

  /** One hash over a run on each kind of engine. */
  static String of(long seed) {
    var text = new StringBuilder();
    for (EngineMode mode : EngineMode.values()) {
      World world = ToyScenario.run(seed, mode, Set.of()).world();
      text.append(Long.toHexString(world.trace().hash()))
          .append('/')
          .append(world.stepsDone())
          .append(' ');
    }
    return text.toString().strip();
  }
}
