package io.belfry.store.redis;

import io.belfry.model.time.Time;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Lets the same log line through once a minute, with how often it was left out meanwhile.
 *
 * <p>Threading: safe, by its own monitor; the line is written outside of it.
 */
final class RepeatLimit {
  private static final long EVERY = TimeUnit.MINUTES.toNanos(1);
  private static final int TEXTS_MAX = 64;

  private static final class Said {
    private final long at;
    private int leftOut;

    Said(long at) {
      this.at = at;
    }
  }

  private final Time time;
  private final Map<String, Said> texts = new LinkedHashMap<>();

  RepeatLimit(Time time) {
    this.time = time;
  }

  /**
   * Writes the line when it is due. Whether it was.
   *
   * @param text what makes two lines the same
   * @param line gets what to append: nothing, or how often it was left out
   */
  boolean ifDue(String text, Consumer<String> line) {
    int leftOut;
    synchronized (this) {
      Said before = texts.get(text);
      long now = time.nanos();
      if (before != null && now - before.at < EVERY) {
        before.leftOut++;
        return false;
      }
      leftOut = before == null ? 0 : before.leftOut;
      texts.remove(text);
      texts.put(text, new Said(now));
      if (texts.size() > TEXTS_MAX) {
        texts.remove(texts.keySet().iterator().next());
      }
    }
    line.accept(leftOut == 0 ? "" : " (" + leftOut + " more times in the last minutes)");
    return true;
  }
}
