package io.belfry.server.node;

import io.belfry.library.StoreUri;
import io.belfry.model.Check;
import io.belfry.model.InvalidException;
import io.belfry.server.config.Catalogue;
import io.belfry.server.config.Config;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;

/** Files with secrets of this node: readable by its owner only. Threading: stateless. */
final class Keys {
  private static final int KEY_BYTES = 32;

  private Keys() {}

  /** The key of stored secrets: from the configured file; on an embedded store one is made. Empty: there is none. */
  static Optional<byte[]> secretKey(Config config, SecureRandom random) {
    Optional<String> file = config.find(Catalogue.SECRET_KEY_FILE);
    if (file.isPresent()) {
      return Optional.of(decoded(read(Path.of(file.get()), Catalogue.SECRET_KEY_FILE.key())));
    }
    if (LibrarySettings.store(config).uri().kind() != StoreUri.Kind.EMBEDDED) {
      return Optional.empty();
    }
    Path own = LibrarySettings.data(config).resolve("secret.key");
    if (!Files.exists(own)) {
      byte[] key = new byte[KEY_BYTES];
      random.nextBytes(key);
      write(own, Base64.getEncoder().encodeToString(key));
    }
    return Optional.of(decoded(read(own, "secret.key")));
  }

  private static byte[] decoded(String text) {
    try {
      byte[] key = Base64.getDecoder().decode(text);
      Check.that(
          key.length == KEY_BYTES,
          Catalogue.SECRET_KEY_FILE.key(),
          new Check.Amount(key.length, "bytes"),
          "must hold " + KEY_BYTES + " bytes in base64, because AES-256 takes such a key",
          "Make one: head -c 32 /dev/urandom | base64.");
      return key;
    } catch (InvalidException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw Check.refusal(
          Catalogue.SECRET_KEY_FILE.key(),
          "something else",
          "must hold base64, because that is how the key is written",
          "Make one: head -c 32 /dev/urandom | base64.");
    }
  }

  /** The one line of a file. */
  static String read(Path file, String setting) {
    try {
      String text = Files.readString(file).strip();
      Check.that(
          !text.isEmpty() && text.lines().count() == 1,
          setting,
          file.toString(),
          "must name a file with one line, because that is the secret",
          "Look into the file.");
      return text;
    } catch (IOException e) {
      throw Check.refusal(
          setting,
          file.toString(),
          "must name a file that can be read (" + e.getClass().getSimpleName() + ")",
          "Check the path and its permissions.");
    }
  }

  /** Written whole or not at all, and never readable by others, not even for a moment. */
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

  /** The directory of this node, which others may not look into. */
  static void makePrivate(Path directory) {
    try {
      if (!Files.isDirectory(directory)) {
        Files.createDirectories(directory);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
      }
    } catch (IOException e) {
      throw Check.refusal(
          Catalogue.DATA.key(),
          directory.toString(),
          "must name a directory that exists or can be made (" + e.getClass().getSimpleName() + ")",
          "Check its parents and their permissions.");
    }
  }
}
