package io.belfry.store.embedded;

import io.belfry.store.Key;
import io.belfry.store.StoreException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/**
 * What the writer knows by heart. Changed only by {@link #apply}, only with what is on the disk.
 *
 * <p>Threading: confined to the writer.
 */
final class State {
  final KeyedHash hash;
  final LiveKeys live = new LiveKeys();
  final Leases leases;
  private DataSetHead head;

  private State(KeyedHash hash, DataSetHead head, long now) {
    this.hash = hash;
    this.head = head;
    this.leases = new Leases(now);
  }

  DataSetHead head() {
    return head;
  }

  void apply(BatchWork work, long now) {
    work.granted().forEach((lease, ttl) -> leases.add(lease, ttl, now));
    for (BatchWork.Slot slot : work.slots()) {
      if (slot.exists()) {
        live.put(slot.name(), slot.hash(), slot.revision());
      } else {
        live.remove(slot.name(), slot.hash());
      }
      leases.assign(slot.key(), slot.lease());
    }
    work.ended().forEach(leases::remove);
    head = work.head();
  }

  /** Reads everything once, which also proves that every block of it can be read. */
  static State load(RocksDB db, Path directory, long now) throws RocksDBException {
    byte[] format = db.get(Layout.FORMAT);
    byte[] head = db.get(Layout.HEAD);
    if (format == null || head == null) {
      throw new StoreException.Damaged(
          "The database in " + directory
              + " lacks the records that every Belfry store begins with. It belongs to another program, or was damaged."
              + " Choose another directory, or restore a backup.",
          null);
    }
    var state = new State(Format.read(format, directory), DataSetHead.of(head), now);
    try (var options = new ReadOptions().setFillCache(false).setReadaheadSize(2 << 20);
        RocksIterator each = db.newIterator(options)) {
      state.loadLeases(each);
      long sum = state.loadEntries(each);
      each.status();
      if (sum != state.head.sum()) {
        throw new StoreException.Damaged(
            "The entries of the store in " + directory + " (" + state.live.size()
                + ") do not add up to what its last step recorded, so some are missing or too old although every file"
                + " can be read. Restore a backup; do not go on with this directory.",
            null);
      }
    }
    return state;
  }

  private void loadLeases(RocksIterator each) {
    for (each.seek(Layout.LEASES); each.isValid(); each.next()) {
      byte[] name = each.key();
      if (!Layout.isLease(name)) {
        break;
      }
      leases.add(Layout.leaseId(name), ByteBuffer.wrap(each.value()).getLong(), leases.now());
    }
  }

  private long loadEntries(RocksIterator each) {
    byte[] start = new byte[1 + 2 * Long.BYTES];
    var startBuffer = ByteBuffer.wrap(start);
    long sum = 0;
    for (each.seek(Layout.ENTRIES); each.isValid(); each.next()) {
      byte[] name = each.key();
      int length = each.value(start);
      int tag = start[0];
      long revision = startBuffer.getLong(1);
      long hashed = hash.of(name);
      if (length < Layout.header(tag)) {
        throw new StoreException.Damaged(
            "Entry " + Layout.key(name, tag) + " has only " + length
                + " bytes, fewer than every entry begins with. Restore a backup.",
            null);
      }
      live.put(name, hashed, revision);
      sum += hash.weight(hashed, revision);
      if (Layout.isLeased(tag)) {
        assign(Layout.key(name, tag), startBuffer.getLong(1 + Long.BYTES));
      }
    }
    return sum;
  }

  private void assign(Key key, long lease) {
    if (!leases.contains(lease)) {
      throw new StoreException.Damaged(
          "Entry " + key + " belongs to lease " + lease
              + ", which is not there, although keys end with their lease. Restore a backup.",
          null);
    }
    leases.assign(key, lease);
  }
}
