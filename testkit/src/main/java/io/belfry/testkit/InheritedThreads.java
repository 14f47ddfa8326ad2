package io.belfry.testkit;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Finds threads that inherit from the thread that happens to start them, as attempts hand themselves down to the threads of their code.
 * Threads that all share must not.
 *
 * <p>Threading: stateless.
 */
public final class InheritedThreads {
  private static final long LIMIT_SECONDS = 60;
  private static final int FRAMES = 12;

  /** The JDK's own, on which virtual threads run: no code sees what they inherit. */
  private static final String CARRIER = "jdk.internal.misc.CarrierThread";

  private InheritedThreads() {}

  /** Where the code, or a thread that inherits from it, started another one that inherits as well: one line for each. */
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
