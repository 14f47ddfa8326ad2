package io.belfry.bench.store;

import io.belfry.store.Space;
import io.belfry.store.Store;
import io.belfry.store.redis.RedisSettings;
import io.belfry.store.redis.RedisStore;
import io.belfry.testkit.engine.RedisServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Response;

/** Redis with an append-only file: through the store, and with a minimal script that writes the same kinds of keys. */
record RedisSubject(RedisServer server, Store store) implements Subject {
  private static final int BATCHES_AWAY = 3;

  static RedisSubject open() {
    RedisServer server = RedisServer.start("--auto-aof-rewrite-percentage", "0");
    return new RedisSubject(server, connect(server));
  }

  private static Store connect(RedisServer server) {
    return RedisStore.connect(RedisSettings.at("redis://127.0.0.1:" + server.port()));
  }

  @Override
  public String name() {
    return "redis";
  }

  @Override
  public OptionalLong engine() {
    return OptionalLong.of(Long.parseLong(server.info("server", "process_id")));
  }

  @Override
  public Store another() {
    return connect(server);
  }

  @Override
  public List<Space> spaces() {
    return List.of(PLAIN, ORDERED_AND_WATCHED);
  }

  @Override
  public int goal(Space space) {
    return 45_000;
  }

  @Override
  public RawEngine raw(Space space) {
    return new RawRedis(server.port(), space);
  }

  @Override
  public void close() {
    store.close();
    server.close();
  }

  private static final class RawRedis implements RawEngine {
    private static final int WRITES_MAX = 200;

    private static final String PLAIN_SCRIPT =
        "for i = 1, #ARGV, 2 do redis.call('SET', '{r}' .. ARGV[i], ARGV[i + 1]) end";

    private static final String FULL_SCRIPT = "for i = 1, #ARGV, 2 do"
        + " redis.call('SET', '{r}' .. ARGV[i], ARGV[i + 1])"
        + " redis.call('ZADD', '{r}#o', 0, ARGV[i]) end"
        + " redis.call('XADD', '{r}#f', 'MAXLEN', '~', 1000, '*', 'c', table.concat(ARGV))";

    private final Jedis jedis;
    private final byte[] script;
    private long number;

    RawRedis(int port, Space space) {
      jedis = new Jedis("127.0.0.1", port, 60_000);
      script = jedis
          .scriptLoad((space.ordered() ? FULL_SCRIPT : PLAIN_SCRIPT))
          .getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public double perSecond(int outstanding, Duration length) {
      int writes = Math.clamp(outstanding / BATCHES_AWAY, 1, WRITES_MAX);
      byte[] value = new byte[Callers.RECORD_BYTES];
      var stretch = new MeasuredInterval(length);
      long records = 0;
      try (Pipeline pipeline = jedis.pipelined()) {
        var away = new ArrayDeque<Response<Object>>();
        while (stretch.lasts()) {
          List<byte[]> arguments = new ArrayList<>(2 * writes);
          for (int i = 0; i < writes; i++) {
            arguments.add(Long.toString(++number).getBytes(StandardCharsets.US_ASCII));
            arguments.add(value);
          }
          away.add(pipeline.evalsha(
              script, List.of("{r}".getBytes(StandardCharsets.US_ASCII)), arguments));
          if (away.size() == BATCHES_AWAY) {
            pipeline.sync();
            away.clear();
          }
          records += writes;
        }
        pipeline.sync();
      }
      return records / stretch.seconds();
    }

    @Override
    public void close() {
      jedis.close();
    }
  }
}
