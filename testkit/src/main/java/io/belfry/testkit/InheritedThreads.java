package io.belfry.testkit;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Finds threads that inherit thread locals from the thread that starts them, as the threads of an attempt's code inherit the attempt.
 * Shared threads must not inherit.
 *
 * <p>Threading: stateless.
 */
public final class InheritedThreads {
  private static final long LIMIT_SECONDS = 60;
  private static final int FRAMES = 12;

  /** Carrier threads of the JDK, on which virtual threads run: no code sees what they inherit. */
  private static final String CARRIER = "jdk.internal.misc.CarrierThread";

  private InheritedThreads() {}

  /** Runs the code and returns the places that started inheriting threads, one line for each. */
  @SuppressWarnings("ThreadLocalUsage") // each call has its own
  public static List<String> of(Callable<?> code) throws Exception {
    List<String> places = new CopyOnWriteArrayList<>();
    var handedDown = new InheritableThreadLocal<Object>() {
      @Override
      protected Object childValue(Object parents) {
        String place = place();
        if (!place.contains(CARRIER)) {
          places.add(place);
        }
        return parents;
      }
    };
    var task = new FutureTask<Object>(() -> {
      handedDown.set("the starter's");
      return code.call();
    });
    Thread.ofPlatform().inheritInheritableThreadLocals(false).start(task);
    var unused = task.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    return List.copyOf(places);
  }

  private static String place() {
    List<String> frames = StackWalker.getInstance()
        .walk(all -> all.map(StackWalker.StackFrame::toString)
            .filter(frame -> !frame.startsWith("java.base/java.lang."))
            .filter(frame -> !frame.contains("InheritedThreads"))
            .limit(FRAMES)
            .toList());
    return Stream.concat(Stream.of(Thread.currentThread().getName()), frames.stream())
        .reduce((one, other) -> one + " < " + other)
        .orElseThrow();
  }
}
