package io.belfry.store.embedded;

import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Limits;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;

/**
 * Reads, each of one moment. A page and the head beside it come from one snapshot; the head is part of every
 * batch, so the page's revision is exact.
 *
 * <p>Threading: stateless.
 */
final class Reads {
  private Reads() {}

  static List<Entry> get(RocksDB db, List<Key> keys) throws RocksDBException {
    if (keys.isEmpty()) {
      return List.of();
    }
    var found = new ArrayList<Entry>(keys.size());
    List<byte[]> values = db.multiGetAsList(keys.stream().map(Layout::key).toList());
    for (int i = 0; i < keys.size(); i++) {
      byte[] stored = values.get(i);
      if (stored != null) {
        found.add(Layout.entry(keys.get(i), stored));
      }
    }
    return found;
  }

  static long revision(RocksDB db) throws RocksDBException {
    return revision(db, new ReadOptions());
  }

  static Page scan(RocksDB db, Scan scan) throws RocksDBException {
    Snapshot snapshot = db.getSnapshot();
    try (var end = new Slice(end(scan));
        var options = new ReadOptions().setSnapshot(snapshot).setIterateUpperBound(end)) {
      long revision = headRevision(db, options);
      return scan.isEmpty()
          ? new Page(List.of(), revision, Optional.empty())
          : page(db, options, scan, revision);
    } finally {
      db.releaseSnapshot(snapshot);
    }
  }

  private static byte[] end(Scan scan) {
    return scan.to() == null ? Layout.end(scan.space()) : Layout.name(scan.space(), scan.to());
  }

  private static long revision(RocksDB db, ReadOptions options) throws RocksDBException {
    try (options) {
      return headRevision(db, options);
    }
  }

  private static long headRevision(RocksDB db, ReadOptions options) throws RocksDBException {
    return DataSetHead.of(db.get(options, Layout.HEAD)).revision();
  }

  private static Page page(RocksDB db, ReadOptions options, Scan scan, long revision)
      throws RocksDBException {
    var entries = new ArrayList<Entry>();
    int prefix = Layout.name(scan.space(), new byte[0]).length;
    long bytes = 0;
    try (RocksIterator each = db.newIterator(options)) {
      for (each.seek(Layout.name(scan.space(), scan.from())); each.isValid(); each.next()) {
        if (entries.size() == scan.limit() || bytes >= Limits.PAGE_BYTES_MAX) {
          return new Page(
              entries, revision, Optional.of(scan.after(entries.getLast().key())));
        }
        byte[] name = each.key();
        Key key = Key.of(scan.space(), Arrays.copyOfRange(name, prefix, name.length));
        Entry entry = Layout.entry(key, each.value());
        bytes += entry.value().length;
        entries.add(entry);
      }
      each.status();
    }
    return new Page(entries, revision, Optional.empty());
  }
}
