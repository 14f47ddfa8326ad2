package io.belfry.store.embedded;

import io.belfry.store.StoreException;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** What RocksDB says, in the words of the store. Threading: stateless. */
final class Failures {
  private Failures() {}

  static boolean isNoSpace(RocksDBException e) {
    return hasSubCode(e, Status.SubCode.NoSpace)
        || said(e).contains("no space left")
        || said(e).contains("quota exceeded");
  }

  /** Of opening or reading, where nothing was to be changed. */
  static StoreException of(Path directory, RocksDBException e) {
    if (isNoSpace(e)) {
      return full(directory, e);
    }
    if (hasCode(e, Status.Code.Corruption) || said(e).contains("no such file")) {
      return new StoreException.Damaged(
          "The store in " + directory + " is damaged, and RocksDB says: " + e.getMessage()
              + ". Going on could lose acknowledged commits, so it does not. Check the disk, then restore a backup of the whole"
              + " directory.",
          e);
    }
    if (said(e).contains("permission denied") || said(e).contains("read-only file system")) {
      return new StoreException.Denied(
          "The store in " + directory + " cannot be used, and RocksDB says: " + e.getMessage()
              + ". Give the account that runs Belfry the right to write there.",
          e);
    }
    return new StoreException.Unavailable(
        "The store in " + directory + " does not work now, and RocksDB says: " + e.getMessage()
            + ". Check the disk; the store goes on by itself once it works.",
        e);
  }

  static StoreException.Full full(Path directory, @Nullable Throwable cause) {
    return new StoreException.Full(
        "The disk of " + directory
            + " has no room left, so nothing can be written. Make room; the store goes on by itself.",
        cause);
  }

  static StoreException.Unknown unknown(Path directory, Throwable cause) {
    return new StoreException.Unknown(
        "Writing to " + directory + " failed half-way (" + cause.getMessage()
            + "), so whether the commit is on the disk shows only when the store is open again, which it tries by itself."
            + " Commit again to settle it.",
        cause);
  }

  private static String said(RocksDBException e) {
    return String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
  }

  private static boolean hasCode(RocksDBException e, Status.Code code) {
    return e.getStatus() != null && e.getStatus().getCode() == code;
  }

  private static boolean hasSubCode(RocksDBException e, Status.SubCode code) {
    return e.getStatus() != null && e.getStatus().getSubCode() == code;
  }
}
