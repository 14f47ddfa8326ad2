package io.belfry.server.verb;

import io.belfry.model.Check;
import io.belfry.server.config.AccessCatalogue;
import io.belfry.server.config.Catalogue;
import io.belfry.server.config.Config;
import io.belfry.server.rest.ClientAddresses;
import io.belfry.server.rest.Listener;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where the API listens, and whether that is safe.
 *
 * @param insecure whether others than this machine reach it without TLS, because an operator wants it so
 */
record Address(Listener listener, boolean insecure, Optional<String> url) {

  /** What is configured; refused if it would let the network in without TLS and nobody said so. */
  public static Address of(Config config) {
    String text = config.get(Catalogue.SERVER_LISTEN);
    int colon = text.lastIndexOf(':');
    String host = colon < 0 ? "" : text.substring(0, colon);
    int port = port(colon < 0 ? text : text.substring(colon + 1), text);
    Optional<Listener.Tls> tls = tls(config);
    String bare =
        host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    boolean open = !isLoopback(bare, text) && tls.isEmpty();
    Check.that(
        !open || config.get(Catalogue.SERVER_INSECURE_LISTEN),
        Catalogue.SERVER_LISTEN.key(),
        text,
        "must be on loopback unless server.tls.certificate and server.tls.key are set, because tokens would cross the network in the clear",
        "Set up TLS, listen on 127.0.0.1, or say --insecure-listen if something else protects the way.");
    return new Address(new Listener(bare, port, tls), open, config.find(Catalogue.SERVER_URL));
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
        Catalogue.SERVER_LISTEN.key(),
        text,
        "must be an address and a port from 0 to 65535, because somebody must be able to connect",
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
    Optional<String> certificate = config.find(Catalogue.SERVER_CERTIFICATE);
    Optional<String> key = config.find(Catalogue.SERVER_KEY);
    Check.that(
        certificate.isPresent() == key.isPresent(),
        Catalogue.SERVER_KEY.key(),
        new Check.Plain(key.isPresent() ? "given without a certificate" : "missing"),
        "must stand beside server.tls.certificate, because one is nothing without the other",
        "Give both or neither.");
    return certificate.map(file -> new Listener.Tls(Path.of(file), Path.of(key.orElseThrow())));
  }

  /** Whether browsers reach it over TLS: its own, or that of a proxy which server.url names. */
  boolean secure() {
    return url(0).startsWith("https://");
  }

  /** Where requests come from, behind the proxies that are trusted. */
  public static ClientAddresses clients(Config config) {
    return ClientAddresses.trusting(
        AccessCatalogue.TRUSTED_PROXIES.key(), config.get(AccessCatalogue.TRUSTED_PROXIES));
  }

  /** How others reach it, once the port is known. */
  public String url(int port) {
    return url.orElseGet(() -> (listener.tls().isPresent() ? "https://" : "http://")
        + (listener.host().contains(":") ? "[" + listener.host() + "]" : listener.host())
        + ":" + port);
  }
}
