package io.belfry.server.rest;

import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The web interface: files from the class path, for anybody, because they hold nothing but code. Its own pages have addresses that all
 * lead to the one document; what has a hash in its name may be kept for ever.
 *
 * <p>Threading: safe. What is kept in memory is bounded by what there is to send.
 */
final class UiFiles {
  private static final String FOLDER = "/ui/";
  private static final String PAGE = "index.html";
  private static final String POLICY = "default-src 'self'; script-src 'self'; "
      + "img-src 'self' data:; connect-src 'self'; object-src 'none'; "
      + "frame-ancestors 'none'; base-uri 'none'; form-action 'self'; style-src 'self'";
  /** Where the page has the nonce of its styles: components make style elements, which need it. */
  private static final String NONCE = "__STYLE_NONCE__";

  private static final int NONCE_BYTES = 16;
  private static final Map<String, String> TYPES = Map.of(
      "html", "text/html; charset=utf-8",
      "js", "text/javascript; charset=utf-8",
      "css", "text/css; charset=utf-8",
      "svg", "image/svg+xml",
      "png", "image/png",
      "ico", "image/x-icon",
      "woff2", "font/woff2");
  private static final Pattern NAME = Pattern.compile("(assets/)?[A-Za-z0-9_-][A-Za-z0-9_.-]*");
  private static final Set<String> TEXTS = Set.of("html", "js", "css", "svg");

  /**
   * A file as it is sent.
   *
   * @param small the same by gzip, where that is worth it
   * @param tag names the content
   */
  private record File(byte[] plain, Optional<byte[]> small, String tag) {}

  private final Map<String, File> files = new ConcurrentHashMap<>();
  private final SecureRandom random = new SecureRandom();

  void bind(JavalinConfig config) {
    for (String page : new String[] {"/", "/login", "/ns", "/ns/<page>"}) {
      serve(config, page, this::sendPage);
    }
    serve(
        config,
        "/assets/{file}",
        context -> send(
            context, "assets/" + context.pathParam("file"), "public, max-age=31536000, immutable"));
  }

  private static void serve(JavalinConfig config, String path, Handler handler) {
    config.routes.get(path, handler);
    config.routes.head(path, handler);
  }

  /** Each time with a nonce of its own, which must not be used twice: so it is sent whole, and never kept. */
  private void sendPage(Context context) throws IOException {
    Optional<File> found = find(PAGE);
    if (found.isEmpty()) {
      refuse(context, PAGE);
      return;
    }
    byte[] bytes = new byte[NONCE_BYTES];
    random.nextBytes(bytes);
    String nonce = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    String page = new String(found.get().plain, StandardCharsets.UTF_8).replace(NONCE, nonce);
    guard(context, " 'nonce-" + nonce + "'", "no-store");
    context.contentType(TYPES.getOrDefault("html", ""));
    context.result(page.getBytes(StandardCharsets.UTF_8));
  }

  private static void guard(Context context, String styles, String caching) {
    context
        .header("Content-Security-Policy", POLICY + styles)
        .header("X-Content-Type-Options", "nosniff")
        .header("Referrer-Policy", "no-referrer")
        .header("Cache-Control", caching);
  }

  private static void refuse(Context context, String name) {
    context.header("Cache-Control", "no-store");
    Router.refuse(context, Problem.of(Problem.Code.NOT_FOUND, missing(name)));
  }

  private void send(Context context, String name, String caching) throws IOException {
    Optional<File> found = find(name);
    if (found.isEmpty()) {
      refuse(context, name);
      return;
    }
    File file = found.get();
    guard(context, "", caching);
    context.header("ETag", file.tag);
    if (file.small.isPresent()) {
      context.header("Vary", "Accept-Encoding");
    }
    if (file.tag.equals(context.header("If-None-Match"))) {
      context.status(304);
      return;
    }
    byte[] body = file.plain;
    if (file.small.isPresent() && takesGzip(context.header("Accept-Encoding"))) {
      context.header("Content-Encoding", "gzip");
      body = file.small.get();
    }
    context.contentType(TYPES.getOrDefault(ending(name), "application/octet-stream"));
    context.result(body);
  }

  private static boolean takesGzip(@Nullable String header) {
    return header != null
        && Arrays.stream(header.toLowerCase(Locale.ROOT).replace(" ", "").split(","))
            .anyMatch(each -> each.equals("gzip")
                || (each.startsWith("gzip;q=") && !each.matches("gzip;q=0(\\.0*)?")));
  }

  private static String missing(String name) {
    return name.equals(PAGE)
        ? "This server was built without the web interface. The API is described at /openapi.json."
        : "There is no such file in the web interface. Load the page again.";
  }

  /** Only what is there is kept, so that asking for other names costs no memory. */
  private Optional<File> find(String name) throws IOException {
    File known = files.get(name);
    if (known != null) {
      return Optional.of(known);
    }
    Optional<File> read = read(name);
    read.ifPresent(file -> files.put(name, file));
    return read;
  }

  /** Nothing that a browser could want has another ending, and a name is one step below its folder. */
  private static Optional<File> read(String name) throws IOException {
    if (!TYPES.containsKey(ending(name)) || !NAME.matcher(name).matches()) {
      return Optional.empty();
    }
    try (@Nullable InputStream in = UiFiles.class.getResourceAsStream(FOLDER + name)) {
      if (in == null) {
        return Optional.empty();
      }
      byte[] plain = in.readAllBytes();
      Optional<byte[]> small = TEXTS.contains(ending(name))
          ? Optional.of(zip(plain)).filter(zipped -> zipped.length < plain.length)
          : Optional.empty();
      return Optional.of(new File(plain, small, tag(plain)));
    }
  }

  private static byte[] zip(byte[] plain) throws IOException {
    var out = new ByteArrayOutputStream(plain.length / 2);
    try (var gzip = new GZIPOutputStream(out)) {
      gzip.write(plain);
    }
    return out.toByteArray();
  }

  /** Weak, because both forms of a file share it. */
  private static String tag(byte[] content) {
    var sum = new CRC32C();
    sum.update(content);
    return "W/\"" + Integer.toHexString(content.length) + "-" + Long.toHexString(sum.getValue())
        + "\"";
  }

  private static String ending(String name) {
    return name.substring(name.lastIndexOf('.') + 1);
  }
}
