package io.belfry.tests.witness;

import static org.awaitility.Awaitility.await;

import io.belfry.testkit.engine.RedisSentinels;
import io.belfry.testkit.engine.RedisServer;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** The Redis that takes writes, whichever it is now. Threading: confined to the driver. */
final class Primary {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final RedisSentinels redis;

  Primary(RedisSentinels redis) {
    this.redis = redis;
  }

  /** Cut off, where that can be done, or killed; until another has taken over, and for a moment longer. */
  void lose(Fault.Run run) {
    await("one primary").atMost(PATIENCE).until(() -> primaries().size() == 1);
    RedisServer now = primaries().getFirst();
    if (now == redis.first() && run.random().nextBoolean()) {
      redis.cutOffFirst();
      awaitAnother(now);
      run.pause(Duration.ofSeconds(2));
      redis.mend();
    } else {
      now.kill();
      awaitAnother(now);
      run.pause(Duration.ofSeconds(2));
      now.startAgain();
    }
    await("the old primary follows the new")
        .atMost(PATIENCE)
        .until(() -> primaries().size() == 1);
  }

  private void awaitAnother(RedisServer than) {
    await("another primary")
        .atMost(PATIENCE)
        .until(() -> primaries().stream().anyMatch(each -> each != than));
  }

  private List<RedisServer> primaries() {
    return Stream.concat(Stream.of(redis.first()), redis.replicas().stream())
        .filter(Primary::leads)
        .toList();
  }

  private static boolean leads(RedisServer server) {
    try {
      return server.info("replication", "role").equals("master");
    } catch (UncheckedIOException | IllegalStateException dead) {
      return false;
    }
  }
}
