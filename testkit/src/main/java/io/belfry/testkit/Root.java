package io.belfry.testkit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The root folder of the checkout, whether a test is started there or in its module. */
public final class Root {
  public static final Path FOLDER = Stream.iterate(
          Path.of("").toAbsolutePath(), folder -> folder != null, Path::getParent)
      .filter(folder -> Files.exists(folder.resolve("belfry")))
      .findFirst()
      .orElseThrow(() -> new IllegalStateException(
          "The tests must be started inside a checkout of the repository."));

  private Root() {}
}
