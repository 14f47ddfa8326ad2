package io.belfry.store.redis;

import io.belfry.store.Feed;
import io.belfry.store.Revision;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * The connection on which feeds are read: XREAD, and behind it the question whether the server still lives the same life.
 *
 * <p>Threading: confined to the reader's thread, but for {@link #cut()}.
 */
final class FeedWire implements AutoCloseable {
  private static final int ENTRIES_MAX = 16;
  private static final long BLOCK_MAX_MILLIS = 1000;

  /** What does not change from connection to connection. */
  record Form(Envelope envelope, byte[] tag, byte[] blockMillis) {
    Form(RedisSettings settings) {
      this(
          new Envelope(settings),
          Bytes.ascii(settings.tag()),
          Bytes.ascii(
              "" + Math.min(BLOCK_MAX_MILLIS, settings.timeouts().answer().toMillis() / 2)));
    }
  }

  /** Where the data set stands, or that it is another. */
  sealed interface TailAnswer {}

  /**
   * The same life.
   *
   * @param dropped the latest revision that was cut off any feed: a watch that has read this far has missed nothing
   * @param ends of the feeds that were asked for
   */
  record Tail(long stand, long dropped, List<FeedEnd> ends) implements TailAnswer {}

  /**
   * Where a feed ends.
   *
   * @param last revision of its last entry; of some later one when that is not known any more
   * @param there whether that entry can still be read
   */
  record FeedEnd(long last, boolean there) {}

  /** Another, or the same after an epoch that nobody has begun yet. */
  record OtherLife() implements TailAnswer {}

  /** What one XREAD found, and what the server said after it. */
  record Read(Map<Feed, List<FeedEntry>> entries, TailAnswer tail) {
    boolean isEmpty() {
      return entries.isEmpty();
    }

    List<FeedEntry> of(Feed feed) {
      return entries.getOrDefault(feed, List.of());
    }
  }

  private final Wire wire;
  private final Form form;
  private volatile byte[] name = new byte[0];
  private String lastWake = "0-0";

  FeedWire(Wire wire, Form form) {
    this.wire = wire;
    this.form = form;
  }

  /** What to call when this connection is blocked and should not be. */
  byte[] name() {
    return name;
  }

  void begin() {
    name = Bytes.ascii(String.valueOf(wire.ask(Command.CLIENT, "ID")));
  }

  void cut() {
    wire.cut();
  }

  @Override
  public void close() {
    wire.cut();
  }

  TailAnswer tail(DataSetLife known, List<Feed> feeds) {
    writeTail(known, feeds);
    wire.push();
    return readTail();
  }

  Read read(List<FeedWatch> watches, DataSetLife known) {
    Map<Feed, Long> from = new LinkedHashMap<>();
    watches.forEach(watch -> from.merge(watch.feed(), watch.position(), Math::min));
    writeRead(from);
    writeTail(known, List.of());
    wire.push();
    Map<Feed, List<FeedEntry>> entries = parse(from.keySet(), checked(wire.read()));
    return new Read(entries, readTail());
  }

  private void writeRead(Map<Feed, Long> from) {
    var arguments = new ArrayList<byte[]>();
    arguments.add(Bytes.ascii("COUNT"));
    arguments.add(Bytes.ascii("" + ENTRIES_MAX));
    arguments.add(Bytes.ascii("BLOCK"));
    arguments.add(form.blockMillis);
    arguments.add(Bytes.ascii("STREAMS"));
    arguments.add(key('w', name));
    from.keySet().forEach(feed -> arguments.add(key('f', feedName(feed))));
    arguments.add(Bytes.ascii(lastWake));
    from.values().forEach(position -> arguments.add(Bytes.ascii(Revision.show(position))));
    wire.write(Command.XREAD, arguments);
  }

  private Map<Feed, List<FeedEntry>> parse(Iterable<Feed> feeds, Object reply) {
    var entries = new HashMap<Feed, List<FeedEntry>>();
    if (!(reply instanceof List<?> streams)) {
      return entries;
    }
    Map<String, Feed> byKey = new HashMap<>();
    feeds.forEach(feed -> byKey.put(latin(key('f', feedName(feed))), feed));
    for (Object each : streams) {
      List<?> stream = (List<?>) each;
      Feed feed = byKey.get(latin((byte[]) stream.get(0)));
      List<?> found = (List<?>) stream.get(1);
      if (found.isEmpty()) {
        // Written and cut off again before it could be read.
        continue;
      }
      if (feed == null) {
        lastWake = Bytes.ascii(((List<?>) found.getLast()).getFirst());
      } else {
        entries.put(
            feed,
            found.stream().map(one -> FeedEntry.parse(feed, (List<?>) one)).toList());
      }
    }
    return entries;
  }

  private void writeTail(DataSetLife known, List<Feed> feeds) {
    List<byte[]> arguments = form.envelope.open(Scripts.TAIL, known);
    feeds.forEach(feed -> arguments.add(feedName(feed)));
    wire.write(Command.EVALSHA, arguments);
  }

  private TailAnswer readTail() {
    List<?> parts = (List<?>) checked(wire.read());
    return switch (Bytes.ascii(parts.getFirst())) {
      case "K" ->
        new Tail(Bytes.toLong((byte[]) parts.get(1), 0), revision(parts.get(2)), ends(parts));
      case "E" -> new OtherLife();
      default -> throw new JedisDataException("TRYAGAIN the slot is moving");
    };
  }

  private static List<FeedEnd> ends(List<?> parts) {
    var ends = new ArrayList<FeedEnd>();
    for (int i = 3; i < parts.size(); i += 2) {
      ends.add(new FeedEnd(revision(parts.get(i)), ((byte[]) parts.get(i + 1)).length > 0));
    }
    return ends;
  }

  private static long revision(Object id) {
    return ((byte[]) id).length == 0 ? Revision.NONE : Bytes.revision(Bytes.ascii(id));
  }

  private static Object checked(Object reply) {
    if (reply instanceof JedisDataException error) {
      throw error;
    }
    return reply;
  }

  private static byte[] feedName(Feed feed) {
    return feed.key()
        .map(ScriptCalls::suffix)
        .orElseGet(() -> Bytes.ascii(feed.space().name()));
  }

  private byte[] key(char kind, byte[] rest) {
    byte[] all = new byte[form.tag.length + 1 + rest.length];
    System.arraycopy(form.tag, 0, all, 0, form.tag.length);
    all[form.tag.length] = (byte) kind;
    System.arraycopy(rest, 0, all, form.tag.length + 1, rest.length);
    return all;
  }

  private static String latin(byte[] bytes) {
    return new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1);
  }
}
