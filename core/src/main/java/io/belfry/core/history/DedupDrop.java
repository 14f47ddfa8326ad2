package io.belfry.core.history;

import io.belfry.core.keys.Keys;
import io.belfry.core.record.DamagedRecordException;
import io.belfry.core.record.Records;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Deletes expired dedup records. A record may have several expiry keys, from earlier requests for the same thing that failed: it is
 * deleted with its own one.
 *
 * <p>Threading: stateless.
 */
final class DedupDrop implements Drop {

  @Override
  public Set<Key> questions(List<Entry> due) {
    Set<Key> keys = new LinkedHashSet<>();
    due.forEach(entry -> keys.add(Keys.dedup(Keys.expiring(entry.key()))));
    return keys;
  }

  @Override
  public void addTo(Commit.Builder commit, List<Entry> due, Map<Key, Entry> answers) {
    Set<Key> dropped = new HashSet<>();
    for (Entry expiry : due) {
      Entry record = answers.get(Keys.dedup(Keys.expiring(expiry.key())));
      if (record != null && isOver(record, expiry.key()) && dropped.add(record.key())) {
        commit.unchanged(record).delete(record.key());
      }
    }
  }

  private static boolean isOver(Entry record, Key expiry) {
    try {
      long until = Records.dedup(record.value()).until();
      return until == 0 || Keys.dedupExpiry(until, Keys.expiring(expiry)).compareTo(expiry) <= 0;
    } catch (DamagedRecordException e) {
      return true; // a damaged record is useless
    }
  }
}
