package io.belfry.executors.egress;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.TimeoutException;

/**
 * Looks up the addresses of hosts.
 *
 * <p>Threading: asked by many virtual threads at once.
 */
@FunctionalInterface
public interface HostLookup {

  /**
   * All addresses, at least one.
   *
   * @throws UnknownHostException if there are none, or nobody answered
   * @throws TimeoutException if that is not known by then
   */
  List<InetAddress> find(String host, Deadline until)
      throws UnknownHostException, TimeoutException, InterruptedException;
}
