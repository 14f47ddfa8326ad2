package io.belfry.server.config;

import java.util.List;

/** The keys of the configuration about who gets in. Threading: immutable. */
public final class AccessCatalogue {
  private AccessCatalogue() {}

  public static final Setting<List<String>> TRUSTED_PROXIES = Setting.of(
      "server.trustedProxies",
      Kind.LIST,
      List.of(),
      "Addresses or ranges (CIDR) of reverse proxies whose X-Forwarded-For is believed: the right-most address in it that is no such proxy is the client's, in the audit log and for limit.loginRate. Empty: the header is ignored.");

  static final List<Setting<?>> ALL = List.of(TRUSTED_PROXIES);
}
