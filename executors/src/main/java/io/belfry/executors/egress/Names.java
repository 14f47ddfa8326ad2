package io.belfry.executors.egress;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/**
 * Looks up the addresses of hosts.
 *
 * <p>Threading: asked by many virtual threads at once.
 */
@FunctionalInterface
public interface Names {

  /** All addresses, at least one. */
  List<InetAddress> find(String host) throws UnknownHostException, InterruptedException;
}
