package io.belfry.core.record;

import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Limit;
import io.belfry.model.job.Payload;
import io.belfry.model.job.Rate;
import io.belfry.model.job.Work;
import io.belfry.model.retry.FailureKind;
import io.belfry.model.retry.RetryPolicy;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/** Any work: with defaults in every part half of the time. */
final class AnyWork {
  private AnyWork() {}

  static Work work(RandomGenerator random) {
    RetryPolicy retry = Any.flip(random) ? RetryPolicy.DEFAULT : retry(random);
    boolean once = retry.max() == 0 && Any.flip(random);
    return new Work(
        Any.text(random, 200),
        executor(random),
        Any.flip(random) ? Payload.EMPTY : payload(random),
        Any.flip(random)
            ? Work.DEFAULT_TIMEOUT
            : Any.duration(random, Duration.ofMillis(1), Duration.ofDays(30)),
        retry,
        once,
        Any.flip(random) ? Work.DEFAULT_QUEUE : Any.name(random, 64),
        Any.texts(random, Any.flip(random) ? 0 : 4),
        Any.flip(random) ? Limit.NONE : limit(random),
        Any.texts(random, Any.flip(random) ? 0 : 4));
  }

  static Payload payload(RandomGenerator random) {
    String type = Any.flip(random) ? Payload.JSON : Any.text(random, 100);
    byte[] bytes = Any.<byte[]>oneOf(
        random,
        () -> new byte[0],
        () -> noise(random, random.nextInt(100)),
        () -> noise(random, 1000 + random.nextInt(1500)),
        () ->
            Any.text(random, 20).repeat(1 + random.nextInt(300)).getBytes(StandardCharsets.UTF_8));
    return Payload.of(type, bytes);
  }

  private static byte[] noise(RandomGenerator random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static RetryPolicy retry(RandomGenerator random) {
    Duration delay = Any.duration(random, Duration.ZERO, Duration.ofDays(30));
    Set<FailureKind> on = EnumSet.allOf(FailureKind.class);
    on.removeIf(kind -> kind == FailureKind.REJECTED || Any.flip(random));
    return new RetryPolicy(
        Any.flip(random) ? 0 : random.nextInt(RetryPolicy.MAX_RETRIES + 1),
        delay,
        random.nextDouble(1, RetryPolicy.MAX_BACKOFF),
        Any.duration(random, delay, Duration.ofDays(30)),
        Any.flip(random),
        on);
  }

  private static Limit limit(RandomGenerator random) {
    Optional<Integer> concurrency = Any.maybe(random, r -> r.nextInt(1, 1_000_001));
    Optional<Rate> rate =
        Any.maybe(random, r -> new Rate(r.nextInt(1, 1_000_001), Any.constant(r, Rate.Unit.class)));
    return new Limit(
        concurrency,
        rate,
        concurrency.isEmpty() && rate.isEmpty()
            ? Optional.empty()
            : Any.maybe(random, r -> Any.text(r, 256).replace('$', '#'))); // no templates
  }

  private static ExecutorSpec executor(RandomGenerator random) {
    return Any.<ExecutorSpec>oneOf(
        random,
        () -> ExecutorSpec.local(Any.text(random, 200)),
        () -> ExecutorSpec.http("POST", "https://example.org/" + Any.name(random, 60)),
        () -> new ExecutorSpec("local", Map.of("handler", random.nextLong())),
        () -> new ExecutorSpec(Any.name(random, 32), map(random, 0)));
  }

  private static Map<String, Object> map(RandomGenerator random, int depth) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      map.put(Any.words(random, 12), setting(random, depth));
    }
    return map;
  }

  private static Object setting(RandomGenerator random, int depth) {
    return switch (random.nextInt(depth < 6 ? 8 : 5)) {
      case 0 -> Any.words(random, 60);
      case 1 -> Any.flip(random) ? random.nextLong() : Any.count(random);
      case 2 -> Any.flip(random) ? -0.0 : random.nextDouble(-1e300, 1e300);
      case 3 -> Any.flip(random);
      case 4 -> new BigInteger(64 + random.nextInt(200), new java.util.Random(random.nextLong()));
      case 5 -> Any.list(random, 3, r -> setting(r, depth + 1));
      default -> map(random, depth + 1);
    };
  }
}
