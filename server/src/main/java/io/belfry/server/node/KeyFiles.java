package io.belfry.server.node;

import io.belfry.library.StoreUri;
import io.belfry.model.Check;
import io.belfry.server.access.SecretKeys;
import io.belfry.server.config.AccessSettings;
import io.belfry.server.config.Config;
import io.belfry.server.config.SettingsCatalog;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Optional;

/** Reads and writes files with secrets of this node, readable by their owner only. Threading: stateless. */
final class KeyFiles {
  private static final int KEY_BYTES = 32;
  private static final int FILE_BYTES_MAX = 16 * 1024;

  private KeyFiles() {}

  /** The encryption keys of stored secrets, from the configured file. With an embedded store, one is generated. */
  static SecretKeys secretKeys(Config config, SecureRandom random) {
    Optional<String> file = config.find(AccessSettings.SECRET_KEY_FILE);
    if (file.isPresent()) {
      Path given = Path.of(file.get());
      FileModes.checkGiven(AccessSettings.SECRET_KEY_FILE.key(), given);
      return decoded(given);
    }
    if (LibrarySettings.store(config).uri().kind() != StoreUri.Kind.EMBEDDED) {
      return SecretKeys.NONE;
    }
    Path own = LibrarySettings.data(config).resolve("secret.key");
    if (!Files.exists(own)) {
      byte[] key = new byte[KEY_BYTES];
      random.nextBytes(key);
      write(own, Base64.getEncoder().encodeToString(key));
    }
    FileModes.checkOwn(AccessSettings.SECRET_KEY_FILE.key(), own);
    return decoded(own);
  }

  /** Reads one key per line. */
  private static SecretKeys decoded(Path file) {
    String setting = AccessSettings.SECRET_KEY_FILE.key();
    var keys = new ArrayList<byte[]>();
    for (String line : text(file, setting).lines().map(String::strip).toList()) {
      if (!line.isEmpty()) {
        keys.add(decoded(line));
      }
    }
    return SecretKeys.of(keys);
  }

  private static byte[] decoded(String line) {
    try {
      return Base64.getDecoder().decode(line);
    } catch (IllegalArgumentException e) {
      throw Check.refusal(
          AccessSettings.SECRET_KEY_FILE.key(),
          "something else",
          "must contain keys in base64",
          "Generate one: head -c 32 /dev/urandom | base64.");
    }
  }

  /** Reads a file that has one line. */
  static String read(Path file, String setting) {
    String text = text(file, setting).strip();
    Check.that(
        !text.isEmpty() && text.lines().count() == 1,
        setting,
        file.toString(),
        "must name a file with one line, which is the secret",
        "Check the content of the file.");
    return text;
  }

  private static String text(Path file, String setting) {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(FILE_BYTES_MAX + 1);
      Check.that(
          bytes.length <= FILE_BYTES_MAX,
          setting,
          file.toString(),
          "must name a file of at most " + FILE_BYTES_MAX + " bytes, because it has a few lines",
          "Name the right file.");
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw Check.refusal(
          setting,
          file.toString(),
          "must name a file that can be read (" + e.getClass().getSimpleName() + ")",
          "Check the path and its permissions.");
    }
  }

  /** Writes a file atomically. At no time can other users read it. */
  static void write(Path file, String text) {
    try {
      Path half = file.resolveSibling(file.getFileName() + ".new");
      Files.deleteIfExists(half);
      Files.createFile(
          half, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(half, text + "\n", StandardCharsets.UTF_8, StandardOpenOption.WRITE);
      Files.move(half, file, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException("The file " + file + " could not be written.", e);
    }
  }

  /** Creates the data directory of this node, accessible only by its owner. */
  static void makePrivate(Path directory) {
    try {
      if (!Files.isDirectory(directory)) {
        Path parent = directory.toAbsolutePath().getParent();
        if (parent != null) {
          Files.createDirectories(parent);
        }
        Files.createDirectory(
            directory,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      }
    } catch (IOException e) {
      throw Check.refusal(
          SettingsCatalog.DATA.key(),
          directory.toString(),
          "must name a directory that exists or can be created (" + e.getClass().getSimpleName()
              + ")",
          "Check its parents and their permissions.");
    }
  }
}
