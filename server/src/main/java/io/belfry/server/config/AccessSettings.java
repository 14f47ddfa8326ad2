package io.belfry.server.config;

import java.util.List;

/** Settings of access control, a part of {@link SettingsCatalog}. Threading: immutable. */
public final class AccessSettings {
  private AccessSettings() {}

  public static final Setting<List<String>> TRUSTED_PROXIES = Setting.of(
      "server.trustedProxies",
      Kind.LIST,
      List.of(),
      "Addresses or CIDR ranges of reverse proxies whose X-Forwarded-For header is trusted. The right-most address that is not such a proxy is the client address, for the audit log and limit.loginRate. Empty: the header is ignored.");

  static final List<Setting<?>> ALL = List.of(TRUSTED_PROXIES);
}
