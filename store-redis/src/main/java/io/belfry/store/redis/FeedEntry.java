package io.belfry.store.redis;

import io.belfry.store.Change;
import io.belfry.store.Feed;
import io.belfry.store.Key;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The changes of one feed by one script call.
 *
 * @param id revision of its last change
 * @param previous the id of the entry that was written before it, whether or not it is still there
 */
record FeedEntry(long id, long previous, List<Step> steps) {

  /** The changes of one commit, or of the end of one lease. */
  record Step(long revision, List<Change> changes) {}

  /** From an entry of XREAD: its id, and fields p and c as {@code begin.lua} writes them. */
  static FeedEntry parse(Feed feed, List<?> entry) {
    List<?> fields = (List<?>) entry.get(1);
    return new FeedEntry(
        Bytes.revision(Bytes.ascii(entry.get(0))),
        Bytes.revision(Bytes.ascii(fields.get(1))),
        steps(feed, ByteBuffer.wrap((byte[]) fields.get(3))));
  }

  private static List<Step> steps(Feed feed, ByteBuffer packed) {
    var steps = new ArrayList<Step>();
    while (packed.hasRemaining()) {
      byte[] name = new byte[Short.toUnsignedInt(packed.getShort())];
      packed.get(name);
      byte[] body = new byte[packed.getInt()];
      packed.get(body);
      long revision = Bytes.toLong(body, 0);
      if (steps.isEmpty() || steps.getLast().revision != revision) {
        steps.add(new Step(revision, new ArrayList<>()));
      }
      Key key = Key.of(feed.space(), name);
      steps
          .getLast()
          .changes
          .add(
              body.length == Bytes.REVISION
                  ? new Change.Deleted(key)
                  : new Change.Put(ScriptCalls.entry(key, body)));
    }
    return steps;
  }
}
