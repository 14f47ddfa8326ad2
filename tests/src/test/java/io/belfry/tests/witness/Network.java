package io.belfry.tests.witness;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The way from each process to the engine: direct, or by a {@link NodeLink} of its own, so that one process alone can be cut off.
 *
 * <p>Threading: safe.
 */
final class Network implements AutoCloseable {
  private final Engine engine;
  private final boolean proxied;
  private final Map<String, NodeLink> links = new ConcurrentHashMap<>();

  Network(Engine engine, boolean proxied) {
    this.engine = engine;
    this.proxied = proxied;
  }

  /** Ways in which a process loses its engine. */
  enum Cut {
    /** Nothing passes, and connections stay open. */
    BOTH_WAYS,
    /** The engine answers, and hears nothing. */
    REQUESTS,
    /** The engine does what it is asked, and its answers do not arrive. */
    ANSWERS,
    /** Connections are reset and refused. */
    RESET,
    /** Reset and restored, every second. */
    FLAPPING
  }

  /** The engine as this process is to reach it. */
  Engine engineOf(String process) {
    if (!proxied || engine.isLone()) {
      return engine;
    }
    NodeLink link = links.computeIfAbsent(process, name -> link());
    return new Engine(
        link.replacePorts(engine.state()),
        link.replacePorts(engine.election()),
        engine.etcd(),
        engine.redis(),
        () -> {});
  }

  private NodeLink link() {
    Set<Integer> sentinels = Engine.ports(engine.state());
    Set<Integer> all = new HashSet<>(sentinels);
    all.addAll(Engine.ports(engine.election()));
    engine.redis().ifPresent(redis -> {
      all.add(redis.wirePort());
      all.add(redis.first().port());
      redis.replicas().forEach(replica -> all.add(replica.port()));
    });
    return new NodeLink(all, engine.redis().isPresent() ? sentinels : Set.of());
  }

  /** Cuts the process off, in one of the ways that last. */
  void cut(String process, Cut how) {
    NodeLink link = link(process);
    switch (how) {
      case BOTH_WAYS -> link.hold(true, true);
      case REQUESTS -> link.hold(true, false);
      case ANSWERS -> link.hold(false, true);
      case RESET, FLAPPING -> link.cut();
    }
  }

  void mend(String process) {
    link(process).mend();
  }

  void forAll(Consumer<NodeLink> what) {
    links.values().forEach(what);
  }

  private NodeLink link(String process) {
    NodeLink link = links.get(process);
    if (link == null) {
      throw new IllegalStateException(
          process + " reaches its engine directly and cannot be cut off");
    }
    return link;
  }

  @Override
  public void close() {
    links.values().forEach(NodeLink::close);
  }
}
