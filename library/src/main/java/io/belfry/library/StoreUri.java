package io.belfry.library;

import io.belfry.model.Check;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * URI of a store: {@code embedded:dir}, {@code etcd://h:p,h:p}, {@code etcds://…}, {@code redis://h:p}, {@code rediss://…},
 * {@code redis+sentinel://h:p,h:p/primary}, {@code redis+cluster://h:p,…} (the last two with {@code rediss+…} for TLS).
 */
public record StoreUri(Kind kind, String text) {
  private static final String FORMS =
      "must be embedded:directory, etcd://host:port,…, redis://host:port, redis+sentinel://host:port,…/primary or"
          + " redis+cluster://host:port,… (etcds and rediss for TLS), because it selects the storage engine";
  private static final String EXAMPLE =
      "Write for example embedded:belfry-data or redis://localhost:6379.";

  /** The storage engines. */
  public enum Kind {
    EMBEDDED,
    ETCD,
    REDIS
  }

  public static StoreUri parse(String text) {
    if (text.contains("@") && !text.startsWith("embedded:")) {
      throw Check.refusal(
          "store",
          "one with an '@'",
          "must not contain a user or password, because addresses are logged",
          "Set them separately: Engine.at(uri).login(user, password).");
    }
    int colon = text.indexOf(':');
    String scheme = colon < 0 ? "" : text.substring(0, colon);
    StoreUri uri = switch (scheme) {
      case "embedded" -> new StoreUri(Kind.EMBEDDED, text);
      case "etcd", "etcds" -> new StoreUri(Kind.ETCD, text);
      case "redis",
          "rediss",
          "redis+sentinel",
          "rediss+sentinel",
          "redis+cluster",
          "rediss+cluster" -> new StoreUri(Kind.REDIS, text);
      default -> throw Check.refusal("store", text, FORMS, EXAMPLE);
    };
    if (uri.kind == Kind.EMBEDDED) {
      uri.directory();
    } else if (!text.startsWith(scheme + "://")) {
      throw Check.refusal("store", text, FORMS, EXAMPLE);
    }
    return uri;
  }

  boolean tls() {
    return text.startsWith("etcds:") || text.startsWith("rediss");
  }

  /** The directory of an embedded store. */
  Path directory() {
    String path = text.substring(text.indexOf(':') + 1);
    if (path.isBlank()) {
      throw Check.refusal(
          "store",
          text,
          "must name a directory, because the data is stored there",
          "Write for example embedded:belfry-data.");
    }
    try {
      return Path.of(path);
    } catch (InvalidPathException e) {
      throw Check.refusal(
          "store", text, "must name a directory that can exist", e.getReason() + ".");
    }
  }

  @Override
  public String toString() {
    return text;
  }
}
