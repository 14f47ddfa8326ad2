package io.belfry.executors.egress;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.TimeoutException;

/**
 * Resolves host names.
 *
 * <p>Threading: called by many virtual threads at once.
 */
@FunctionalInterface
public interface HostLookup {

  /**
   * Returns all addresses, at least one.
   *
   * @throws UnknownHostException if there are none, or if the lookup failed
   * @throws TimeoutException if the lookup does not finish by the deadline
   */
  List<InetAddress> find(String host, Deadline until)
      throws UnknownHostException, TimeoutException, InterruptedException;
}
