package io.belfry.bench.store;

import java.time.Duration;

/** The engine without Belfry: writes the same records in the cheapest way with the same durability. */
public interface RawEngine extends AutoCloseable {

  /** Records per second with {@code outstanding} unacknowledged records at any moment. */
  double perSecond(int outstanding, Duration length) throws Exception;

  @Override
  void close() throws Exception;
}
