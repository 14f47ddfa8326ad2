package io.belfry.store;

/**
 * Where a server listens.
 *
 * @param host a name or an address, IPv6 without brackets
 */
public record Endpoint(String host, int port) {
  public Endpoint {
    boolean brackets = host.startsWith("[") && host.endsWith("]");
    host = brackets ? host.substring(1, host.length() - 1) : host;
  }

  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
