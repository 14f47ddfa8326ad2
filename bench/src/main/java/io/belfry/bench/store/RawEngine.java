package io.belfry.bench.store;

import java.time.Duration;

/** The engine without Belfry: the same records, written in the cheapest way that is as durable. */
public interface RawEngine extends AutoCloseable {

  /** Records per second when {@code underWay} records are under way at any moment. */
  double perSecond(int underWay, Duration length) throws Exception;

  @Override
  void close() throws Exception;
}
