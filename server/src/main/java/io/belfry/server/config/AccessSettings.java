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

  public static final Setting<String> ADMIN_TOKEN_FILE = Setting.unset(
      "admin.tokenFile",
      Kind.TEXT,
      "File with the admin token of the cluster. Unset: a token is generated at the first start.");
  public static final Setting<String> SECRET_KEY_FILE = Setting.unset(
      "secret.keyFile",
      Kind.TEXT,
      "File with the encryption keys of stored secrets, one per line. The first key encrypts, all keys decrypt. Unset: with an embedded store, secret.key in the data directory, generated at the first start.");
  public static final Setting<List<String>> SUBMIT_HANDLERS = Setting.of(
      "submit.handlers",
      Kind.LIST,
      List.of(),
      "Names of local handlers to which operators may submit tasks; * for all. Other handlers need the role developer, or a job.");
  public static final Setting<Boolean> METRICS_ANONYMOUS =
      Setting.of("metrics.anonymous", Kind.SWITCH, false, "Serve /metrics without a token.");

  static final List<Setting<?>> ALL = List.of(
      TRUSTED_PROXIES, ADMIN_TOKEN_FILE, SECRET_KEY_FILE, SUBMIT_HANDLERS, METRICS_ANONYMOUS);
}
