package io.belfry.core.dispatch;

import io.belfry.model.Check;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The registered load-balancing strategies, by name. Threading: immutable. */
public final class Strategies {
  private static final int NAME_CHARS_MAX = 64;

  private final Map<String, Supplier<Strategy>> makers;

  private Strategies(Map<String, Supplier<Strategy>> makers) {
    this.makers = makers;
  }

  public static Strategies builtIn() {
    var makers = new TreeMap<String, Supplier<Strategy>>();
    makers.put("least-tasks", () -> Comparisons.LEAST_TASKS);
    makers.put(
        "round-robin", () -> (all, task, random) -> Comparisons.of(all, Comparisons::waitedLonger));
    makers.put("weighted-round-robin", SmoothWeights::new);
    makers.put("random", () -> (all, task, random) -> all.get(random.nextInt(all.size())));
    makers.put("consistent-hash", Rendezvous::new);
    makers.put(
        "least-connections",
        () -> (all, task, random) -> Comparisons.of(all, Comparisons::connectedLess));
    makers.put(
        "least-load", () -> (all, task, random) -> Comparisons.of(all, Comparisons::loadedLess));
    makers.put("adaptive", Adaptive::new);
    return new Strategies(makers);
  }

  /** These strategies and one of your own, which may replace a built-in one. */
  public Strategies with(String name, Supplier<Strategy> maker) {
    var more = new TreeMap<>(makers);
    more.put(Check.name("strategy", name, NAME_CHARS_MAX), () -> new GuardedStrategy(name, maker));
    return new Strategies(more);
  }

  public Set<String> names() {
    return Collections.unmodifiableSet(makers.keySet());
  }

  /** A new instance, without learned state. */
  public Strategy make(String name) {
    Supplier<Strategy> maker = makers.get(name);
    if (maker == null) {
      throw Check.refusal(
          "strategy",
          name,
          "must be one of " + String.join(", ", makers.keySet())
              + ", because no other is registered here",
          "Choose one of them, or register your own on every scheduler node.");
    }
    return maker.get();
  }
}
