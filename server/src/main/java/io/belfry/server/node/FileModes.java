package io.belfry.server.node;

import io.belfry.model.Check;
import io.belfry.server.config.AccessSettings;
import io.belfry.server.config.Config;
import io.belfry.server.config.Setting;
import io.belfry.server.config.SettingsCatalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses files with secrets that other users of the machine can read or replace. Symbolic links are followed.
 *
 * <p>Threading: stateless.
 */
public final class FileModes {
  private static final Logger LOG = LoggerFactory.getLogger(FileModes.class);
  private static final Set<PosixFilePermission> OWNER = Set.of(
      PosixFilePermission.OWNER_READ,
      PosixFilePermission.OWNER_WRITE,
      PosixFilePermission.OWNER_EXECUTE);

  private FileModes() {}

  /** Checks a file written by Belfry: only its owner may access it. A missing file is accepted. */
  static void checkOwn(String setting, Path file) {
    if (!Files.exists(file)) {
      return;
    }
    Set<PosixFilePermission> mode = mode(setting, file);
    Check.that(
        OWNER.containsAll(mode),
        setting,
        file + " with mode " + PosixFilePermissions.toString(mode),
        "must be readable by its owner only, because its content gives full control of this server",
        "Run chmod 600 " + file + ", and replace its content if other users may have read it.");
  }

  /**
   * Checks a file provided by the operator: it must not be accessible by all users, nor writable by its group. Its group may read it, because
   * Kubernetes mounts secrets that way for a pod with {@code fsGroup}.
   *
   * @throws io.belfry.model.InvalidException with the command that fixes it
   */
  public static void checkGiven(String setting, Path file) {
    if (!Files.exists(file)) {
      return; // the reader reports it
    }
    Set<PosixFilePermission> mode = mode(setting, file);
    boolean open = mode.contains(PosixFilePermission.OTHERS_READ)
        || mode.contains(PosixFilePermission.OTHERS_WRITE)
        || mode.contains(PosixFilePermission.GROUP_WRITE);
    Check.that(
        !open,
        setting,
        file + " with mode " + PosixFilePermissions.toString(mode),
        "must name a file that other users can neither read nor write, because it contains a secret",
        "Run chmod 600 " + file + ", and replace its content if other users may have read it.");
  }

  /** Logs a warning for each configured file that its group can read. */
  static void warnOfGroups(Config config) {
    for (Setting<String> each : List.of(
        AccessSettings.ADMIN_TOKEN_FILE,
        AccessSettings.SECRET_KEY_FILE,
        SettingsCatalog.SERVER_KEY,
        SettingsCatalog.STORE_KEY,
        SettingsCatalog.ELECTION_KEY)) {
      config.find(each).map(Path::of).filter(Files::exists).ifPresent(file -> {
        if (mode(each.key(), file).contains(PosixFilePermission.GROUP_READ)) {
          LOG.warn(
              "{}: the group of {} can read it. Run chmod 600 {}, unless only this server is in that group.",
              each.key(),
              file,
              file);
        }
      });
    }
  }

  /** Logs a warning if other users can access the data directory. */
  static void warnOfOpen(Path directory) {
    Set<PosixFilePermission> mode = mode("data", directory);
    if (mode.contains(PosixFilePermission.OTHERS_READ)
        || mode.contains(PosixFilePermission.OTHERS_EXECUTE)
        || mode.contains(PosixFilePermission.OTHERS_WRITE)) {
      LOG.warn(
          "All users of this machine can access the data directory {} (mode {}). Run chmod 700 {}.",
          directory,
          PosixFilePermissions.toString(mode),
          directory);
    }
  }

  private static Set<PosixFilePermission> mode(String setting, Path file) {
    try {
      return Files.getFileStore(file).supportsFileAttributeView("posix")
          ? Files.getPosixFilePermissions(file)
          : Set.of(); // a file system without POSIX modes
    } catch (IOException e) {
      throw Check.refusal(
          setting,
          file.toString(),
          "must name a file whose mode can be read (" + e.getClass().getSimpleName() + ")",
          "Check the path and its permissions.");
    }
  }
}
