package io.belfry.store.etcd;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.belfry.store.Feed;
import io.belfry.store.Key;
import io.belfry.store.Limits;
import io.belfry.store.Scan;
import io.belfry.store.Space;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Where our keys lie in etcd's: {@code <prefix><space>/<name>}, and the adapter's own under {@code <prefix>!}, which no
 * space can be called.
 *
 * <p>Threading: safe; the spaces' prefixes are computed once.
 */
final class Names {
  /** From key (inclusive) to end (exclusive), as etcd wants it; an empty end means the one key. */
  record Stretch(ByteString key, ByteString end) {}

  private static final ByteString ONE_KEY = ByteString.EMPTY;

  private final String prefix;
  private final ConcurrentMap<String, byte[]> spaces = new ConcurrentHashMap<>();

  Names(String prefix) {
    this.prefix = prefix;
  }

  ByteString of(Key key) {
    return join(space(key.space()), key.name());
  }

  Key key(Space space, ByteString bytes) {
    return Key.of(space, bytes.substring(space(space).length).toByteArray());
  }

  /** Whether {@code bytes}, which lie in the space, can be the name of a key: another program may write there. */
  boolean isKey(Space space, ByteString bytes) {
    int length = bytes.size() - space(space).length;
    return length > 0 && length <= Limits.KEY_BYTES_MAX;
  }

  /** What the adapter keeps for itself. */
  ByteString own(String name) {
    return ByteString.copyFromUtf8(prefix + "!" + name);
  }

  Stretch stretch(Scan scan) {
    byte[] space = space(scan.space());
    byte[] to = scan.to();
    return new Stretch(join(space, scan.from()), to == null ? end(space) : join(space, to));
  }

  Stretch stretch(Feed feed) {
    byte[] space = space(feed.space());
    return feed.key()
        .map(key -> new Stretch(of(key), ONE_KEY))
        .orElseGet(() -> new Stretch(UnsafeByteOperations.unsafeWrap(space), end(space)));
  }

  private byte[] space(Space space) {
    return spaces.computeIfAbsent(
        space.name(), name -> (prefix + name + "/").getBytes(StandardCharsets.UTF_8));
  }

  /** A space ends where its slash would be followed by nothing larger: at the byte after the slash. */
  private static ByteString end(byte[] space) {
    byte[] end = space.clone();
    end[end.length - 1]++;
    return UnsafeByteOperations.unsafeWrap(end);
  }

  private static ByteString join(byte[] left, byte[] right) {
    byte[] both = new byte[left.length + right.length];
    System.arraycopy(left, 0, both, 0, left.length);
    System.arraycopy(right, 0, both, left.length, right.length);
    return UnsafeByteOperations.unsafeWrap(both);
  }
}
