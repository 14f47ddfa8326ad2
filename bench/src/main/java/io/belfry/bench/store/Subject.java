package io.belfry.bench.store;

import io.belfry.store.Space;
import io.belfry.store.Store;
import java.util.List;
import java.util.OptionalLong;

/** One engine under test: its store, its raw limit, and the spaces worth a row. */
public interface Subject extends AutoCloseable {
  Space PLAIN = Space.plain("p");
  Space ORDERED_AND_WATCHED = Space.plain("ow").inOrder().watchedTogether();

  /** The engine of this name, freshly started. */
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

  /** The engine's own process, unless it lives in ours. */
  OptionalLong engine();

  /** Another connection to the same data, as another process would have it; closed by the caller, unless it is the same. */
  Store another();

  /** What the engine does at most for records of this kind of space. */
  RawEngine raw(Space space) throws Exception;

  List<Space> spaces();

  /** Records per second that the issue asks for, with 64 callers. */
  int goal(Space space);

  @Override
  void close() throws Exception;
}
