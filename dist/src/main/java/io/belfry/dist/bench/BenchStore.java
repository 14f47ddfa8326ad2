package io.belfry.dist.bench;

import io.belfry.library.Engine;
import io.belfry.library.Stores;
import io.belfry.server.config.Config;
import io.belfry.server.config.SettingsCatalog;
import io.belfry.server.node.LibrarySettings;
import io.belfry.store.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The storage of a bench: its own directory, or its own namespace of an engine. Closing removes it. Threading: confined to the bench.
 *
 * @param shown name to print
 */
record BenchStore(Engine engine, String namespace, String shown, Optional<Path> directory)
    implements AutoCloseable {
  static final String PREFIX = "belfry";
  private static final String EMBEDDED = "embedded:";

  /**
   * Creates the storage.
   *
   * @param store the address of an engine; empty: a directory in the temporary directory
   * @param environment holds login and certificates as for a server: BELFRY_STORE_…
   * @param mark distinguishes it from other benches
   */
  static BenchStore at(Optional<String> store, Map<String, String> environment, long mark) {
    String name = "bench-" + Long.toHexString(mark);
    String uri = store.orElse(EMBEDDED + System.getProperty("java.io.tmpdir"));
    if (uri.startsWith(EMBEDDED)) {
      Path own =
          Path.of(uri.substring(EMBEDDED.length())).toAbsolutePath().resolve("belfry-" + name);
      try {
        Files.createDirectories(own);
      } catch (IOException e) {
        throw new UncheckedIOException(own + " could not be created.", e);
      }
      String shown = store.orElse("embedded");
      return new BenchStore(Engine.at(EMBEDDED + own), name, shown, Optional.of(own));
    }
    var login = new TreeMap<String, String>();
    environment.forEach((key, value) -> {
      if (key.startsWith("BELFRY_STORE_")) {
        login.put(key, value);
      }
    });
    Config config = Config.defaults()
        .variables(login, List.of())
        .set(SettingsCatalog.STORE_URI.key(), uri, "--store");
    return new BenchStore(LibrarySettings.store(config), name, uri, Optional.empty());
  }

  @Override
  public void close() {
    if (directory.isEmpty()) {
      try (Store store = Stores.open(engine, PREFIX, namespace)) {
        new NamespaceCleanup(store).all();
      }
      return;
    }
    try (Stream<Path> inside = Files.walk(directory.get())) {
      for (Path each : inside.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(directory.get() + " could not be removed.", e);
    }
  }
}
