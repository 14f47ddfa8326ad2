package io.belfry.tests.witness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * All that the checker is given.
 *
 * @param calls of clients, in the order of their keys' first questions
 * @param outages of processes and of the engine
 * @param acts of leaders, as far as their writes could be seen
 * @param until nothing that is due from this on is asked for
 */
record Evidence(
    Ledger ledger,
    List<Promise> promises,
    List<Call> calls,
    Told told,
    List<Strike> strikes,
    List<Outage> outages,
    List<Act> acts,
    Instant until,
    Bounds bounds) {

  /** All but the ledger, for whoever looks for the cause of a finding. */
  void writeBeside(Path file) {
    var text = new StringBuilder();
    strikes.forEach(each -> text.append(each).append('\n'));
    outages.forEach(each -> text.append(each).append('\n'));
    acts.forEach(each -> text.append(each).append('\n'));
    promises.forEach(each -> text.append(each).append('\n'));
    calls.forEach(each -> text.append(each).append('\n'));
    told.leaders().forEach((term, all) -> text.append("term " + term + " " + all + "\n"));
    told.skips().forEach((job, all) -> text.append("skips " + job + " " + all + "\n"));
    told.unfinished().forEach(each -> text.append("unfinished " + each + "\n"));
    told.ends().forEach((task, all) -> text.append("end " + task + " " + all + "\n"));
    try {
      Files.writeString(Path.of(file + ".evidence"), text);
    } catch (IOException e) {
      throw new UncheckedIOException("the evidence could not be kept beside " + file, e);
    }
  }
}
