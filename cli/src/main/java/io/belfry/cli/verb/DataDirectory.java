package io.belfry.cli.verb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The data directory of a local server: reads its address and its admin token.
 *
 * <p>Its content decides which token goes to which server. A directory in the current folder may come from a checkout or an archive of another
 * user, and a named directory may belong to another user. These rules keep such a directory from reading files or tokens of the caller:
 *
 * <pre>
 *   both files       regular files, no links, opened relative to one opened directory
 *                    owned by the caller or root; by one other user if root named the directory
 *   server.url       writable by its owner only
 *   admin.token      readable and writable by its owner only; contains a Belfry token
 *   the directory    no symbolic link, unless it was named
 * </pre>
 *
 * <p>On file systems without owner and mode, as on Windows, those checks are skipped.
 *
 * <p>Threading: confined to its verb.
 */
final class DataDirectory {
  static final String NAME = "belfry-data";
  private static final String ADDRESS = "server.url";
  private static final String TOKEN = "admin.token";
  private static final String TOKEN_PREFIX = "bft_";
  private static final int BYTES_MAX = 16 << 10;
  private static final Set<OpenOption> OPTIONS =
      Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
  private static final Set<PosixFilePermission> WRITTEN_BY_OTHERS =
      EnumSet.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);
  private static final Set<PosixFilePermission> OWNER = EnumSet.of(
      PosixFilePermission.OWNER_READ,
      PosixFilePermission.OWNER_WRITE,
      PosixFilePermission.OWNER_EXECUTE);
  static final String WITHOUT =
      "To connect without the directory, set BELFRY_URL and BELFRY_TOKEN, or give --url and --token-file.";

  private final Path path;
  private final boolean named;
  private @Nullable UserPrincipal addressOwner;

  private DataDirectory(Path path, boolean named) {
    this.path = path;
    this.named = named;
  }

  /** A directory that the user named. */
  static DataDirectory named(Path path) {
    return new DataDirectory(path, true);
  }

  /** The directory in the current folder, whoever created it. */
  static DataDirectory foundIn(Path folder) {
    return new DataDirectory(folder.resolve(NAME), false);
  }

  boolean isNamed() {
    return named;
  }

  Path addressFile() {
    return path.resolve(ADDRESS);
  }

  Path tokenFile() {
    return path.resolve(TOKEN);
  }

  /** The address that the server wrote when it started; empty if there is no such file. */
  Optional<String> address() {
    return read(ADDRESS);
  }

  /** The admin token of the server at {@link #address}; empty if there is no such file. */
  Optional<String> token() {
    Optional<String> token = read(TOKEN);
    if (token.isPresent() && !token.get().startsWith(TOKEN_PREFIX)) {
      throw refusal(
          TOKEN,
          "hold a token that begins with " + TOKEN_PREFIX,
          "holds something else. It is not sent to any server",
          WITHOUT);
    }
    return token;
  }

  private Optional<String> read(String name) {
    if (!named && Files.isSymbolicLink(path)) {
      throw new CliException(path
          + " is a symbolic link. It is not followed, because it was only found in the current folder and may point to any"
          + " directory. Name the right directory with --data DIR. " + WITHOUT);
    }
    try (DirectoryStream<Path> opened = Files.newDirectoryStream(path)) {
      return Optional.of(oneLine(path.resolve(name), bytes(name, opened)));
    } catch (NoSuchFileException | NotDirectoryException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw cannotRead(path.resolve(name), e);
    }
  }

  /** Reads relative to the opened directory where the system supports it, so that it cannot be replaced between check and use. */
  private byte[] bytes(String name, DirectoryStream<Path> opened) throws IOException {
    Path file = Path.of(name);
    if (opened instanceof SecureDirectoryStream<Path> secure) {
      check(
          name,
          secure
              .getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
              .readAttributes());
      try (SeekableByteChannel channel = secure.newByteChannel(file, OPTIONS)) {
        return bytes(name, channel);
      }
    }
    Path whole = path.resolve(name);
    check(name, Files.readAttributes(whole, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
    try (SeekableByteChannel channel = Files.newByteChannel(whole, OPTIONS)) {
      return bytes(name, channel);
    }
  }

  private byte[] bytes(String name, SeekableByteChannel channel) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(BYTES_MAX + 1);
    while (buffer.hasRemaining() && channel.read(buffer) >= 0) {}
    if (!buffer.hasRemaining()) {
      throw refusal(
          name, "have at most " + BYTES_MAX + " bytes", "is longer. It is not used", WITHOUT);
    }
    return Arrays.copyOf(buffer.array(), buffer.position());
  }

  private void check(String name, BasicFileAttributes found) throws IOException {
    if (!found.isRegularFile()) {
      throw refusal(
          name,
          "be a regular file",
          found.isSymbolicLink()
              ? "is a symbolic link, which may point to any of your files. It is not followed"
              : "is not one. It is not read",
          WITHOUT);
    }
    if (found instanceof PosixFileAttributes posix) {
      checkOwner(name, posix.owner());
      checkMode(name, posix.permissions());
    }
  }

  private void checkOwner(String name, UserPrincipal owner) throws IOException {
    UserPrincipal root = path.getFileSystem()
        .getUserPrincipalLookupService()
        .lookupPrincipalByName("0"); // by number: it need not be called root
    UserPrincipal caller = Caller.asOwner();
    boolean rootNamedIt = named && caller.equals(root);
    if (!rootNamedIt && !owner.equals(caller) && !owner.equals(root)) {
      throw refusal(
          name,
          "belong to you (" + caller.getName() + ") or to root",
          "belongs to " + owner.getName() + ". It is not used",
          (named || !caller.equals(root) ? "" : "As root, name the directory with --data. ")
              + WITHOUT);
    }
    // An address may only be combined with the token of the same user: root can read all tokens.
    if (name.equals(ADDRESS)) {
      addressOwner = owner;
    } else if (rootNamedIt && addressOwner != null && !owner.equals(addressOwner)) {
      throw refusal(
          name,
          "belong to the same user as " + ADDRESS + " (" + addressOwner.getName() + ")",
          "belongs to " + owner.getName() + ". It is not sent",
          WITHOUT);
    }
  }

  private void checkMode(String name, Set<PosixFilePermission> mode) {
    boolean secret = name.equals(TOKEN);
    boolean fine =
        secret ? OWNER.containsAll(mode) : mode.stream().noneMatch(WRITTEN_BY_OTHERS::contains);
    if (!fine) {
      throw refusal(
          name,
          secret ? "be readable by its owner only" : "be writable by its owner only",
          "has mode " + PosixFilePermissions.toString(mode)
              + ", which Belfry never sets. It is not used",
          "If your server wrote it, run chmod 600 " + path.resolve(name) + ". " + WITHOUT);
    }
  }

  private CliException refusal(String name, String must, String but, String remedy) {
    return new CliException(path.resolve(name) + " must " + must + ", but " + but + ". " + remedy);
  }

  /** The only line of a file. */
  static String oneLine(Path file, byte[] bytes) {
    String line = new String(bytes, StandardCharsets.UTF_8).strip();
    if (line.isEmpty() || line.contains("\n")) {
      throw new CliException(file + " must hold one line, but holds "
          + (line.isEmpty() ? "nothing." : "more. Is it the right file?"));
    }
    return line;
  }

  static CliException cannotRead(Path file, IOException e) {
    return new CliException(
        file + " cannot be read (" + e.getClass().getSimpleName() + "). Check its permissions.", e);
  }
}
