package io.belfry.store.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Lease;
import io.belfry.store.Limits;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What is asked of the scripts, but for commits. */
final class ScriptCalls {
  private ScriptCalls() {}

  private record Plain<T extends @Nullable Object>(
      Scripts verb, List<byte[]> rest, Function<List<?>, T> reader) implements ScriptCall<T> {
    @Override
    public void arguments(List<byte[]> into) {
      into.addAll(rest);
    }

    @Override
    public T read(List<?> reply) {
      return reader.apply(reply);
    }
  }

  static ScriptCall<List<Entry>> get(List<Key> keys) {
    List<byte[]> names = keys.stream().map(ScriptCalls::suffix).toList();
    return new Plain<>(Scripts.GET, names, reply -> {
      var found = new ArrayList<Entry>();
      for (int i = 0; i < keys.size(); i++) {
        if (reply.get(i + 1) instanceof byte[] stored) {
          found.add(entry(keys.get(i), stored));
        }
      }
      return found;
    });
  }

  /** {@code space/name}: how an entry, or the feed of a key, is called behind the tag. */
  static byte[] suffix(Key key) {
    byte[] space = Bytes.ascii(key.space().name() + "/");
    byte[] all = new byte[space.length + key.name().length];
    System.arraycopy(space, 0, all, 0, space.length);
    System.arraycopy(key.name(), 0, all, space.length, key.name().length);
    return all;
  }

  static Entry entry(Key key, byte[] stored) {
    return new Entry(key, Bytes.value(stored), Bytes.toLong(stored, 0));
  }

  static ScriptCall<Page> scan(Scan scan) {
    byte[] to = scan.to();
    List<byte[]> rest = List.of(
        Bytes.ascii(scan.space().name()),
        bound('[', scan.from()),
        to == null ? Bytes.ascii("+") : bound('(', to),
        Bytes.ascii("" + scan.limit()),
        Bytes.ascii("" + Limits.PAGE_BYTES_MAX));
    return new Plain<>(Scripts.SCAN, rest, reply -> page(scan, reply));
  }

  private static byte[] bound(char kind, byte[] name) {
    byte[] all = new byte[name.length + 1];
    all[0] = (byte) kind;
    System.arraycopy(name, 0, all, 1, name.length);
    return all;
  }

  private static Page page(Scan scan, List<?> reply) {
    var entries = new ArrayList<Entry>();
    for (int i = 4; i < reply.size(); i += 2) {
      entries.add(entry(Key.of(scan.space(), (byte[]) reply.get(i)), (byte[]) reply.get(i + 1)));
    }
    boolean more = ((byte[]) reply.get(2)).length > 0;
    Optional<Scan> next = more
        ? Optional.of(scan.after(Key.of(scan.space(), (byte[]) reply.get(3))))
        : Optional.empty();
    return new Page(entries, Bytes.toLong((byte[]) reply.get(1), 0), next);
  }

  static ScriptCall<Lease> grant(Duration ttl) {
    long millis = ttl.plusNanos(999_999).toMillis();
    return new Plain<>(
        Scripts.GRANT,
        List.of(Bytes.ascii("" + millis)),
        reply -> new Lease(Bytes.toLong((byte[]) reply.get(1), 0), Duration.ofMillis(millis)));
  }

  static ScriptCall<Boolean> renew(long lease) {
    return new Plain<>(
        Scripts.RENEW, List.of(Bytes.ofLong(lease)), reply -> (Long) reply.get(1) == 1);
  }

  static ScriptCall<@Nullable Void> revoke(long lease) {
    return new Plain<>(Scripts.REVOKE, List.of(Bytes.ofLong(lease)), reply -> null);
  }

  static ScriptCall<@Nullable Void> barrier() {
    return new Plain<>(Scripts.BARRIER, List.of(), reply -> null);
  }

  static ScriptCall<@Nullable Void> wake(byte[] client) {
    return new Plain<>(Scripts.WAKE, List.of(client), reply -> null);
  }

  static ScriptCall<Status> status(Link link) {
    return new Plain<>(Scripts.STATUS, List.of(), reply -> {
      Map<String, String> info = Audit.info(new String((byte[]) reply.get(2), UTF_8));
      double used = Double.parseDouble(info.getOrDefault("used_memory", "0"));
      int replicas = Integer.parseInt(info.getOrDefault("connected_slaves", "0"));
      int acknowledgements = link.known().acknowledgements();
      double most = Double.parseDouble(info.getOrDefault("maxmemory", "0"));
      return new Status(
          "redis",
          info.getOrDefault("redis_version", "unknown"),
          link.audit()
              .map(audit -> audit.durability(acknowledgements, replicas))
              .orElse("unknown"),
          most == 0 ? 0 : Math.min(1, used / most),
          Bytes.toLong((byte[]) reply.get(1), 0),
          Audit.warning(acknowledgements, replicas));
    });
  }
}
