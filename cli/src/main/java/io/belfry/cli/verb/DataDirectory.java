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
 * Where a server of this machine keeps its address and the token of its admin.
 *
 * <p>What is written there decides which token goes to which server. A directory in the current folder may come from anybody, by a checkout or
 * an archive; one that was named may belong to another user. So that neither gets at a file or a token of the caller:
 *
 * <pre>
 *   both files       regular files, not links, opened relative to the one directory that was opened
 *                    of the caller or root; of one other user if root named the directory
 *   server.url       written by its owner only
 *   admin.token      read and written by its owner only, and a token of Belfry
 *   the directory    no link, unless it was named
 * </pre>
 *
 * <p>Where files have no owner and mode, as on Windows, what concerns these is left out.
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
      "To do without the directory, set BELFRY_URL and BELFRY_TOKEN, or give --url and --token-file.";

  private final Path path;
  private final boolean named;
  private @Nullable UserPrincipal addressOwner;

  private DataDirectory(Path path, boolean named) {
    this.path = path;
    this.named = named;
  }

  /** One that the caller named. */
  static DataDirectory named(Path path) {
    return new DataDirectory(path, true);
  }

  /** The one in the current folder, whoever put it there. */
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

  /** What the server wrote when it started; nothing if there is no such file. */
  Optional<String> address() {
    return read(ADDRESS);
  }

  /** The token for the server of {@link #address}; nothing if there is no such file. */
  Optional<String> token() {
    Optional<String> token = read(TOKEN);
    if (token.isPresent() && !token.get().startsWith(TOKEN_PREFIX)) {
      throw refusal(
          TOKEN,
          "hold a token that begins with " + TOKEN_PREFIX,
          "holds something else, which is not sent to any server",
          WITHOUT);
    }
    return token;
  }

  private Optional<String> read(String name) {
    if (!named && Files.isSymbolicLink(path)) {
      throw new Complaint(path
          + " is a symbolic link. It is not followed, because it was only found in the current folder and may lead to any"
          + " directory of yours. Name the right directory with --data DIR. " + WITHOUT);
    }
    try (DirectoryStream<Path> opened = Files.newDirectoryStream(path)) {
      return Optional.of(oneLine(path.resolve(name), bytes(name, opened)));
    } catch (NoSuchFileException | NotDirectoryException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw cannotRead(path.resolve(name), e);
    }
  }

  /** Relative to the opened directory where the system can do that: nobody can put another one in its place between check and use. */
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
              ? "is a symbolic link, which may lead to any file of yours. It is not followed"
              : "is something else. It is not read",
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
    // Another user's address may have that user's token, and no other: root can read everybody's.
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
              + ", which Belfry does not give it. It is not used",
          "If your server wrote it, run chmod 600 " + path.resolve(name) + ". " + WITHOUT);
    }
  }

  private Complaint refusal(String name, String must, String but, String remedy) {
    return new Complaint(path.resolve(name) + " must " + must + ", but " + but + ". " + remedy);
  }

  /** The one line of a file. */
  static String oneLine(Path file, byte[] bytes) {
    String line = new String(bytes, StandardCharsets.UTF_8).strip();
    if (line.isEmpty() || line.contains("\n")) {
      throw new Complaint(file + " must hold one line, but holds "
          + (line.isEmpty() ? "nothing." : "more. Is it the right file?"));
    }
    return line;
  }

  static Complaint cannotRead(Path file, IOException e) {
    return new Complaint(
        file + " cannot be read (" + e.getClass().getSimpleName() + "). Check its permissions.", e);
  }
}
