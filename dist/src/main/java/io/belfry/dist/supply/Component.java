package io.belfry.dist.supply;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * A package that is shipped, or that was used in the build.
 *
 * @param ecosystem {@code maven} or {@code npm}
 * @param name {@code group:artifact}, or the name of an npm package
 */
record Component(String ecosystem, String name, String version) {

  /** Parses a package URL such as {@code pkg:maven/io.grpc/grpc-api@1.85.1?type=jar}; empty for other ecosystems. */
  static Optional<Component> of(String purl) {
    String bare = purl.replaceFirst("[?#].*", "");
    int slash = bare.indexOf('/');
    int at = bare.lastIndexOf('@');
    if (!bare.startsWith("pkg:") || slash < 0 || at < slash) {
      return Optional.empty();
    }
    String ecosystem = bare.substring(4, slash);
    String path = decoded(bare.substring(slash + 1, at));
    String version = decoded(bare.substring(at + 1));
    return switch (ecosystem) {
      case "maven" -> Optional.of(new Component(ecosystem, path.replace('/', ':'), version));
      case "npm" -> Optional.of(new Component(ecosystem, path, version));
      default -> Optional.empty();
    };
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return name + " " + version + " (" + ecosystem + ")";
  }
}
