package io.belfry.tests.witness;

import io.belfry.model.time.Time;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import io.belfry.store.embedded.EmbeddedSettings;
import io.belfry.store.embedded.EmbeddedStore;
import io.belfry.store.etcd.EtcdSettings;
import io.belfry.store.etcd.EtcdStore;
import io.belfry.store.redis.RedisSettings;
import io.belfry.store.redis.RedisStore;
import io.belfry.testkit.engine.EtcdCluster;
import io.belfry.testkit.engine.EtcdOptions;
import io.belfry.testkit.engine.RedisSentinels;
import io.belfry.testkit.engine.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The engines of one run: three members of etcd, a Redis with two replicas and three Sentinels, both, or a directory.
 *
 * @param state where everything is kept
 * @param election where leaders are elected
 */
record Engine(
    String state,
    String election,
    Optional<EtcdCluster> etcd,
    Optional<RedisSentinels> redis,
    Runnable stop)
    implements AutoCloseable {
  static final List<String> NAMES = List.of("etcd", "redis", "mixed", "embedded");

  static final String NAMESPACE = "witness";
  private static final Pattern PORT = Pattern.compile("127\\.0\\.0\\.1:(\\d+)");
  private static final Duration PATIENCE = Duration.ofSeconds(50);

  static Engine start(String name) {
    return switch (name) {
      case "etcd" -> {
        EtcdCluster etcd = EtcdCluster.start(EtcdOptions.DEFAULT);
        yield new Engine(etcd.uri(), etcd.uri(), Optional.of(etcd), Optional.empty(), etcd::close);
      }
      case "redis" -> {
        RedisSentinels redis = RedisSentinels.start();
        yield new Engine(
            redis.uri(), redis.uri(), Optional.empty(), Optional.of(redis), redis::close);
      }
      case "mixed" -> {
        RedisSentinels redis = RedisSentinels.start();
        EtcdCluster etcd = EtcdCluster.start(EtcdOptions.DEFAULT);
        yield new Engine(redis.uri(), etcd.uri(), Optional.of(etcd), Optional.of(redis), () -> {
          etcd.close();
          redis.close();
        });
      }
      case "embedded" -> {
        Path directory = ServerProcess.freshDirectory("witness-data");
        String data = directory.resolve("data").toString();
        yield new Engine(data, data, Optional.empty(), Optional.empty(), () -> delete(directory));
      }
      default ->
        throw new IllegalArgumentException(
            "The engines are " + NAMES + ", but '" + name + "' was given.");
    };
  }

  /** Whether only one process at a time can open it. */
  boolean isLone() {
    return !state.startsWith("etcd") && !state.startsWith("redis");
  }

  /** The ports on loopback that an address names. */
  static Set<Integer> ports(String uri) {
    return PORT.matcher(uri)
        .results()
        .map(found -> Integer.parseInt(found.group(1)))
        .collect(Collectors.toSet());
  }

  private static void delete(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Could not delete " + directory + ".", e);
    }
  }

  /** Asks again for a while: on a busy machine the first answers come too late. */
  static Store connect(String uri) {
    Time time = Time.system();
    long deadline = time.nanos() + PATIENCE.toNanos();
    while (true) {
      try {
        return connectOnce(uri);
      } catch (StoreException.Unavailable | StoreException.Unknown | StoreException.Overloaded e) {
        if (time.nanos() - deadline > 0 || Thread.currentThread().isInterrupted()) {
          throw e;
        }
      }
    }
  }

  private static Store connectOnce(String uri) {
    if (uri.startsWith("etcd")) {
      return EtcdStore.connect(EtcdSettings.of(uri, NAMESPACE).room(EtcdSettings.Room.DEDICATED));
    }
    if (uri.startsWith("redis")) {
      return RedisStore.connect(RedisSettings.at(uri).namespace(NAMESPACE));
    }
    return EmbeddedStore.open(EmbeddedSettings.of(Path.of(uri)));
  }

  @Override
  public void close() {
    stop.run();
  }
}
