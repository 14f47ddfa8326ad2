package io.belfry.server.verb;

import io.belfry.model.Check;
import io.belfry.server.config.AccessSettings;
import io.belfry.server.config.Config;
import io.belfry.server.config.SettingsCatalog;
import io.belfry.server.rest.ClientAddresses;
import io.belfry.server.rest.Listener;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The listen address of the API.
 *
 * @param insecure whether other machines can reach it without TLS, because server.insecureListen allows it
 */
record Address(Listener listener, boolean insecure, Optional<String> url) {

  /** The configured address. Non-loopback addresses without TLS are refused unless server.insecureListen is set. */
  public static Address of(Config config) {
    String text = config.get(SettingsCatalog.SERVER_LISTEN);
    int colon = text.lastIndexOf(':');
    String host = colon < 0 ? "" : text.substring(0, colon);
    int port = port(colon < 0 ? text : text.substring(colon + 1), text);
    Optional<Listener.Tls> tls = tls(config);
    String bare =
        host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    boolean open = !isLoopback(bare, text) && tls.isEmpty();
    Check.that(
        !open || config.get(SettingsCatalog.SERVER_INSECURE_LISTEN),
        SettingsCatalog.SERVER_LISTEN.key(),
        text,
        "must be on loopback unless server.tls.certificate and server.tls.key are set, because tokens would be sent in plain text",
        "Set up TLS, listen on 127.0.0.1, or use --insecure-listen behind a TLS proxy.");
    return new Address(
        new Listener(bare, port, tls), open, config.find(SettingsCatalog.SERVER_URL));
  }

  private static int port(String text, String whole) {
    try {
      int port = Integer.parseInt(text);
      if (port >= 0 && port <= 65_535) {
        return port;
      }
    } catch (NumberFormatException e) {
      throw notAnAddress(whole);
    }
    throw notAnAddress(whole);
  }

  private static RuntimeException notAnAddress(String text) {
    return Check.refusal(
        SettingsCatalog.SERVER_LISTEN.key(),
        text,
        "must be an address and a port from 0 to 65535, because clients connect to it",
        "Write for example 127.0.0.1:8080.");
  }

  private static boolean isLoopback(String host, String whole) {
    if (host.isEmpty()) {
      throw notAnAddress(whole);
    }
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      throw notAnAddress(whole);
    }
  }

  private static Optional<Listener.Tls> tls(Config config) {
    Optional<String> certificate = config.find(SettingsCatalog.SERVER_CERTIFICATE);
    Optional<String> key = config.find(SettingsCatalog.SERVER_KEY);
    Check.that(
        certificate.isPresent() == key.isPresent(),
        SettingsCatalog.SERVER_KEY.key(),
        new Check.Plain(key.isPresent() ? "set without a certificate" : "missing"),
        "must be set together with server.tls.certificate, because TLS needs both",
        "Set both or neither.");
    return certificate.map(file -> new Listener.Tls(Path.of(file), Path.of(key.orElseThrow())));
  }

  /** Whether browsers use TLS, directly or through the proxy at server.url. */
  boolean secure() {
    return url(0).startsWith("https://");
  }

  /** Determines client addresses behind trusted proxies. */
  public static ClientAddresses clients(Config config) {
    return ClientAddresses.trusting(
        AccessSettings.TRUSTED_PROXIES.key(), config.get(AccessSettings.TRUSTED_PROXIES));
  }

  /** The external URL, once the port is known. */
  public String url(int port) {
    return url.orElseGet(() -> (listener.tls().isPresent() ? "https://" : "http://")
        + (listener.host().contains(":") ? "[" + listener.host() + "]" : listener.host())
        + ":" + port);
  }
}
