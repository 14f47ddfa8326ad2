package io.belfry.bench.store;

import io.belfry.store.Space;
import io.belfry.store.Store;
import java.util.List;
import java.util.OptionalLong;

/** One engine under test: its store, the raw engine for comparison, and the spaces to measure. */
public interface Subject extends AutoCloseable {
  Space PLAIN = Space.plain("p");
  Space ORDERED_AND_WATCHED = Space.plain("ow").inOrder().watchedTogether();

  /** Starts the engine with this name. */
  static Subject open(String engine) throws Exception {
    return switch (engine) {
      case "embedded" -> EmbeddedSubject.open();
      case "redis" -> RedisSubject.open();
      case "etcd" -> EtcdSubject.open();
      default ->
        throw new IllegalArgumentException(
            "The engines are embedded, redis and etcd, but '" + engine + "' was given.");
    };
  }

  String name();

  Store store();

  /** The process id of the engine, unless it runs in this process. */
  OptionalLong engine();

  /** Another connection to the same data, like that of another process. Closed by the caller, unless it is the same. */
  Store another();

  /** The raw engine, which is the upper limit for this kind of space. */
  RawEngine raw(Space space) throws Exception;

  List<Space> spaces();

  /** The goal in records per second, with 64 callers. */
  int goal(Space space);

  @Override
  void close() throws Exception;
}
