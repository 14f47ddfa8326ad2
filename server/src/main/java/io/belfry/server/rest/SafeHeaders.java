package io.belfry.server.rest;

import java.util.LinkedHashMap;
import java.util.Map;
import org.eclipse.jetty.http.HttpFields;

/**
 * Headers of every answer, whoever writes it: routes, files, and the web server itself.
 *
 * <p>Threading: immutable.
 */
final class SafeHeaders {
  private static final String A_YEAR = "max-age=31536000";

  private final Map<String, String> all = new LinkedHashMap<>();

  /**
   * The headers.
   *
   * @param secure whether the server is reached over TLS: browsers that came once never ask without it again
   */
  SafeHeaders(boolean secure) {
    all.put("X-Content-Type-Options", "nosniff");
    all.put("X-Frame-Options", "DENY");
    all.put("Referrer-Policy", "no-referrer");
    all.put("Cross-Origin-Opener-Policy", "same-origin");
    all.put("Cross-Origin-Resource-Policy", "same-origin");
    all.put(
        "Permissions-Policy",
        "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()");
    if (secure) {
      all.put("Strict-Transport-Security", A_YEAR);
    }
  }

  void addTo(HttpFields.Mutable answer) {
    all.forEach(answer::put);
  }
}
