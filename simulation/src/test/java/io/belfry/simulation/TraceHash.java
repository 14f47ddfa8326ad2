package io.belfry.simulation;

import java.util.Set;

/** Prints the hash of a run, so that two processes can be compared. */
public final class TraceHash {
  private TraceHash() {}

  public static void main(String[] arguments) {
    System.out.println(of(Long.parseLong(arguments[0])));
  }

  /** One hash over a run of the toys on each kind of engine, and one of the core. */
  static String of(long seed) {
    var text = new StringBuilder();
    for (EngineMode mode : EngineMode.values()) {
      text.append(of(ToyScenario.run(seed, mode, Set.of()))).append(' ');
    }
    return text.append(of(CoreScenario.run(seed, EngineMode.ETCD, Set.of()))).toString();
  }

  private static String of(Simulation simulation) {
    World world = simulation.world();
    return Long.toHexString(world.trace().hash()) + '/' + world.stepsDone();
  }
}
