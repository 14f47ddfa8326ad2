package io.belfry.core.record;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Generates any plain value, unusual ones more often than in practice. */
final class Any {
  private static final String NAME_CHARS = "abcdefghijklmnopqrstuvwxyz0123456789";
  private static final String[] ODD = {
    "ä", "ß", "中文", "🔔", "\ud83d", "\udd14", "\u0000", "\uFFFD", "\u202E", "e\u0301", "\uFEFF",
    "\n", "\u007f", "\u0080"
  };
  private static final long[] LONGS = {
    0, 1, 127, 128, 16383, 16384, Integer.MAX_VALUE, 1L << 47, 1L << 62, Long.MAX_VALUE
  };

  private Any() {}

  static boolean flip(RandomGenerator random) {
    return random.nextBoolean();
  }

  @SafeVarargs
  static <T> T oneOf(RandomGenerator random, Supplier<? extends T>... choices) {
    return choices[random.nextInt(choices.length)].get();
  }

  static <E extends Enum<E>> E constant(RandomGenerator random, Class<E> type) {
    E[] all = type.getEnumConstants();
    return all[random.nextInt(all.length)];
  }

  static <E extends Enum<E>> Set<E> constants(RandomGenerator random, Class<E> type) {
    EnumSet<E> set = EnumSet.noneOf(type);
    for (E each : type.getEnumConstants()) {
      if (flip(random)) {
        set.add(each);
      }
    }
    return set;
  }

  static <T> Optional<T> maybe(RandomGenerator random, Function<RandomGenerator, T> value) {
    return flip(random) ? Optional.empty() : Optional.of(value.apply(random));
  }

  static <T> List<T> list(RandomGenerator random, int most, Function<RandomGenerator, T> value) {
    List<T> list = new ArrayList<>();
    for (int i = random.nextInt(most + 1); i > 0; i--) {
      list.add(value.apply(random));
    }
    return list;
  }

  /** Never negative, often at an edge. */
  static long count(RandomGenerator random) {
    return flip(random)
        ? LONGS[random.nextInt(LONGS.length)]
        : random.nextLong() >>> (1 + random.nextInt(63));
  }

  static int integer(RandomGenerator random) {
    return Any.<Integer>oneOf(
        random,
        () -> 0,
        () -> Integer.MIN_VALUE,
        () -> Integer.MAX_VALUE,
        () -> random.nextInt(1000),
        random::nextInt);
  }

  static String name(RandomGenerator random, int most) {
    StringBuilder name = new StringBuilder();
    for (int i = random.nextInt(most); i >= 0; i--) {
      name.append(NAME_CHARS.charAt(random.nextInt(NAME_CHARS.length())));
    }
    return name.toString();
  }

  /** Not blank, at most so many chars, which must be a few. */
  static String text(RandomGenerator random, int most) {
    StringBuilder text = new StringBuilder("t");
    int length = random.nextInt(most);
    while (text.length() < length) {
      text.append(
          random.nextInt(4) == 0
              ? ODD[random.nextInt(ODD.length)]
              : String.valueOf((char) (' ' + random.nextInt(95))));
    }
    return text.substring(0, Math.min(most, text.length()));
  }

  static String words(RandomGenerator random, int most) {
    return random.nextInt(4) == 0 ? "" : text(random, most);
  }

  static Map<String, String> texts(RandomGenerator random, int most) {
    Map<String, String> texts = new LinkedHashMap<>();
    for (int i = random.nextInt(most + 1); i > 0; i--) {
      texts.put(text(random, 20), words(random, 40));
    }
    return texts;
  }

  static Instant millis(RandomGenerator random) {
    return Instant.ofEpochMilli(random.nextLong(0, 4_000_000_000_000L));
  }

  static Instant instant(RandomGenerator random) {
    return Any.<Instant>oneOf(
        random,
        () -> millis(random),
        () -> Instant.ofEpochSecond(random.nextLong(0, 4_000_000_000L)),
        () -> millis(random).plusNanos(random.nextInt(1000) * 1000L),
        () -> millis(random).plusNanos(random.nextInt(1_000_000)),
        () -> Instant.EPOCH,
        () -> Instant.EPOCH.minusNanos(1),
        () -> Instant.MIN,
        () -> Instant.MAX);
  }

  static Duration duration(RandomGenerator random, Duration least, Duration most) {
    long seconds = random.nextLong(most.minus(least).toSeconds() + 1);
    return Any.<Duration>oneOf(
        random,
        () -> least,
        () -> most,
        () -> shorter(least.plusSeconds(seconds), most),
        () -> shorter(least.plusSeconds(seconds).plusNanos(random.nextInt(1_000_000_000)), most));
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }
}
