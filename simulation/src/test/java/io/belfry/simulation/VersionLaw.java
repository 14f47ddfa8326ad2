package io.belfry.simulation;

import io.belfry.core.history.RetainSettings;
import io.belfry.core.keys.Keys;
import io.belfry.core.record.Records;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.store.Change;
import io.belfry.store.Commit;
import io.belfry.store.Key;
import io.belfry.store.Write;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Every definition that stands has a version of its generation, written with it, and of each job the last ones are kept without a gap: no
 * more than so many, and no fewer while there were that many.
 *
 * <p>Threading: confined to its world.
 */
final class VersionLaw implements EngineEar {
  private static final String LAW = "I2 every definition is kept as a version";

  private final World world;
  private final Map<JobId, NavigableMap<Long, byte[]>> kept = new HashMap<>();

  /** Of each job, the oldest version since none of it were kept. */
  private final Map<JobId, Long> begun = new HashMap<>();

  VersionLaw(Simulation simulation) {
    this.world = simulation.world();
    simulation.engine().addEar(this);
  }

  @Override
  public void settled(EngineStep step) {
    for (Change change : step.changes()) {
      if (change.key().space().equals(Keys.VERSIONS)) {
        version(change);
      }
    }
    for (Commit commit : step.commits()) {
      for (Write write : commit.writes()) {
        if (write instanceof Write.Put put && put.key().space().equals(Keys.JOBS)) {
          saved(step, commit, put);
        }
      }
    }
  }

  private void version(Change change) {
    String name = change.key().text();
    NavigableMap<Long, byte[]> versions =
        kept.computeIfAbsent(Keys.versionJob(name), unused -> new TreeMap<>());
    if (change instanceof Change.Put(var entry)) {
      versions.put(Keys.versionGeneration(name), entry.value());
    } else {
      versions.remove(Keys.versionGeneration(name));
      if (versions.isEmpty()) {
        begun.remove(Keys.versionJob(name));
      }
    }
  }

  private void saved(EngineStep step, Commit commit, Write.Put definition) {
    Job job = Records.job(definition.value());
    Key version = Keys.version(job.id(), job.generation());
    boolean written = commit.writes().stream()
        .anyMatch(write -> write instanceof Write.Put put
            && put.key().equals(version)
            && Arrays.equals(put.value(), definition.value()));
    if (!written) {
      throw world.violation(LAW, step.by() + " saved " + job.id() + " without " + version);
    }
    NavigableMap<Long, byte[]> versions = kept.getOrDefault(job.id(), new TreeMap<>());
    // Behind the jobs of which nothing is kept any more, a new one counts on.
    long first = begun.merge(job.id(), versions.firstKey(), Math::min);
    long expected = Math.min(RetainSettings.VERSIONS, job.generation() - first + 1);
    boolean whole = versions.size() == expected
        && versions.lastKey() == job.generation()
        && versions.lastKey() - versions.firstKey() == expected - 1;
    if (!whole) {
      throw world.violation(
          LAW, "of " + job.id() + " at " + job.generation() + " there are " + versions.keySet());
    }
    world.count("versions");
  }
}
