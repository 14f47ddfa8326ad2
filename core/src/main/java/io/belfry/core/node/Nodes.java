package io.belfry.core.node;

import io.belfry.core.election.ClockMedian;
import io.belfry.core.election.ElectionSettings;
import io.belfry.core.follow.Follower;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.EventKind;
import io.belfry.core.record.NodeRecord;
import io.belfry.core.record.Records;
import io.belfry.core.record.SafeDecoder;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a scheduler node knows about the other nodes: which could lead in its place, their clocks, and the events they subscribe to.
 *
 * <p>Threading: confined to its loop.
 */
final class Nodes implements Follower.Sink {
  private final Loop loop;
  private final String node;
  private final ClockMedian clocks;
  private final Duration acquaintanceTime;
  private final Runnable firstLoaded;
  private final Map<String, NodeRecord> others = new LinkedHashMap<>();
  private final Set<String> seen = new HashSet<>();
  private Set<EventKind> wanted = Set.of();
  private Optional<Long> loadedNanos = Optional.empty();
  private boolean loading;

  Nodes(Loop loop, String node, ElectionSettings settings, Runnable firstLoaded) {
    this.loop = loop;
    this.node = node;
    this.clocks = new ClockMedian(loop.time(), settings.renew());
    this.acquaintanceTime = settings.renew().multipliedBy(3);
    this.firstLoaded = firstLoaded;
  }

  /** Kinds of events that some other node subscribes to. */
  Set<EventKind> wanted() {
    return wanted;
  }

  ClockMedian clocks() {
    return clocks;
  }

  /** How long it may still take until every other scheduler has sent a heartbeat with its clock; zero once all have. */
  Duration untilAcquainted() {
    if (others.values().stream().filter(this::isComparable).allMatch(o -> clocks.knows(o.id()))) {
      return Duration.ZERO;
    }
    long since = loop.time().nanos() - loadedNanos.orElse(loop.time().nanos());
    Duration left = acquaintanceTime.minusNanos(since);
    return left.isNegative() ? Duration.ZERO : left;
  }

  /** Whether it is another node that could lead; not a process with this node's own name, which runs, or ran, on the same clock. */
  private boolean isComparable(NodeRecord other) {
    return other.schedules() && !name(other.id()).equals(name(node));
  }

  private static String name(String id) {
    int tilde = id.lastIndexOf('~');
    return tilde < 0 ? id : id.substring(0, tilde);
  }

  @Override
  public void loading() {
    loading = true;
    seen.clear();
  }

  @Override
  public void put(Entry entry) {
    seen.add(entry.key().text());
    if (!entry.key().text().equals(node)) {
      SafeDecoder.read(entry, each -> Records.node(each.value())).ifPresent(this::update);
    }
  }

  /** Records found by a scan are of unknown age, and tell nothing about clocks. */
  private void update(NodeRecord other) {
    NodeRecord before = others.put(other.id(), other);
    if (!loading && isComparable(other)) {
      clocks.heartbeat(other.id(), other.heartbeat());
    }
    if (before == null || !before.listens().equals(other.listens())) {
      updateWanted();
    }
  }

  @Override
  public void deleted(Key key, long revision) {
    gone(key.text());
  }

  @Override
  public void loaded() {
    loading = false;
    List.copyOf(others.keySet()).stream().filter(id -> !seen.contains(id)).forEach(this::gone);
    if (loadedNanos.isEmpty()) {
      loadedNanos = Optional.of(loop.time().nanos());
      firstLoaded.run();
    }
  }

  private void gone(String id) {
    others.remove(id);
    clocks.gone(id);
    updateWanted();
  }

  private void updateWanted() {
    Set<EventKind> kinds = EnumSet.noneOf(EventKind.class);
    others.values().forEach(other -> kinds.addAll(other.listens()));
    wanted = Collections.unmodifiableSet(kinds);
  }
}
