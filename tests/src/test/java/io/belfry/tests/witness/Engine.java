package io.belfry.tests.witness;

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
import java.nio.file.Path;

/**
 * The engines of one run: three members of etcd, a Redis with two replicas and three Sentinels, or both.
 *
 * @param state where everything is kept
 * @param election where leaders are elected
 */
record Engine(String state, String election, Runnable stop) implements AutoCloseable {
  private static final String NAMESPACE = "witness";

  static Engine start(String name) {
    return switch (name) {
      case "etcd" -> {
        EtcdCluster etcd = EtcdCluster.start(EtcdOptions.DEFAULT);
        yield new Engine(etcd.uri(), etcd.uri(), etcd::close);
      }
      case "redis" -> {
        RedisSentinels redis = RedisSentinels.start();
        yield new Engine(redis.uri(), redis.uri(), redis::close);
      }
      case "mixed" -> {
        RedisSentinels redis = RedisSentinels.start();
        EtcdCluster etcd = EtcdCluster.start(EtcdOptions.DEFAULT);
        yield new Engine(redis.uri(), etcd.uri(), () -> {
          etcd.close();
          redis.close();
        });
      }
      default ->
        throw new IllegalArgumentException(
            "The engines are etcd, redis and mixed, but '" + name + "' was given.");
    };
  }

  /** On a machine this busy the first tries may come too late: whoever starts processes starts them again, too. */
  static Store connect(String uri) {
    for (int tries = 10; ; tries--) {
      try {
        return connectOnce(uri);
      } catch (StoreException.Unavailable e) {
        if (tries == 0) {
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
