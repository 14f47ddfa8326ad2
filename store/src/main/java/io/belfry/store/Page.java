package io.belfry.store;

import java.util.List;
import java.util.Optional;

/**
 * What a scan found, as of one revision of the store.
 *
 * @param revision no change up to and including it is missing from the page
 * @param next where to go on; empty when the scan has come to its end
 */
public record Page(List<Entry> entries, long revision, Optional<Scan> next) {
  public Page {
    entries = List.copyOf(entries);
  }
}
