package io.belfry.core.record;

import io.belfry.core.record.WorkerRecord.Load;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Nodes, workers and the leader's term. Threading: stateless. */
final class PresenceCodec {
  private static final int ACCEPTING = 1;
  private static final int HEALTHY = 1 << 1;
  private static final int LEAVING = 1 << 2;

  private static final NodeRecord.Role[] ROLES = NodeRecord.Role.values();
  private static final EventKind[] EVENTS = EventKind.values();

  private PresenceCodec() {}

  static void writeTerm(Writer out, Term term) {
    out.number(term.number());
    out.text(term.leader());
    out.instant(term.since());
    out.text(term.electedBy());
    out.number(term.ballot());
  }

  static Term readTerm(Reader in) {
    return new Term(in.number(), in.text(), in.instant(), in.text(), in.number());
  }

  static void writeNode(Writer out, NodeRecord node) {
    out.text(node.id());
    out.constants(node.roles());
    out.text(node.address());
    out.text(node.version());
    out.instant(node.since());
    out.instant(node.heartbeat());
    out.flag(node.term().isPresent());
    node.term().ifPresent(out::number);
    out.constants(node.listens());
  }

  static NodeRecord readNode(Reader in) {
    return new NodeRecord(
        in.text(),
        in.constants(NodeRecord.Role.class, ROLES),
        in.text(),
        in.text(),
        in.instant(),
        in.instant(),
        in.flag() ? Optional.of(in.number()) : Optional.empty(),
        in.constants(EventKind.class, EVENTS));
  }

  static void writeWorker(Writer out, WorkerRecord worker) {
    out.text(worker.id());
    out.text(worker.name());
    out.text(worker.address());
    out.texts(worker.labels());
    out.number(worker.queues().size());
    worker.queues().forEach(out::text);
    out.number(worker.weight());
    out.number(worker.capacity());
    out.number((worker.accepting() ? ACCEPTING : 0)
        | (worker.healthy() ? HEALTHY : 0)
        | (worker.leaving() ? LEAVING : 0));
    out.instant(worker.since());
    out.instant(worker.heartbeat());
    out.number(worker.beat());
    writeLoad(out, worker.load());
    out.number(worker.held().size());
    for (long token : worker.held()) {
      out.number(token);
    }
  }

  static WorkerRecord readWorker(Reader in) {
    String id = in.text();
    String name = in.text();
    String address = in.text();
    Map<String, String> labels = in.texts();
    Set<String> queues = readQueues(in);
    int weight = in.integer();
    int capacity = in.integer();
    int flags = in.flags(ACCEPTING | HEALTHY | LEAVING);
    Instant since = in.instant();
    Instant heartbeat = in.instant();
    long beat = in.number();
    Load load = readLoad(in);
    List<Long> held = in.list(Reader::number);
    return new WorkerRecord(
        id,
        name,
        address,
        labels,
        queues,
        weight,
        capacity,
        (flags & ACCEPTING) != 0,
        (flags & HEALTHY) != 0,
        (flags & LEAVING) != 0,
        since,
        heartbeat,
        beat,
        load,
        held);
  }

  static void writeOrder(Writer out, WorkerOrder order) {
    out.flag(order.drained());
    out.flag(order.capacity().isPresent());
    order.capacity().ifPresent(out::number);
    out.text(order.by());
    out.instant(order.at());
  }

  static WorkerOrder readOrder(Reader in) {
    return new WorkerOrder(
        in.flag(),
        in.flag() ? Optional.of(in.integer()) : Optional.empty(),
        in.text(),
        in.instant());
  }

  private static Set<String> readQueues(Reader in) {
    int count = in.count();
    Set<String> queues = new LinkedHashSet<>();
    for (int i = 0; i < count; i++) {
      if (!queues.add(in.text())) {
        throw in.damaged("the same queue twice");
      }
    }
    return Collections.unmodifiableSet(queues);
  }

  private static void writeLoad(Writer out, Load load) {
    int begun = out.begin();
    out.real(load.cpu());
    out.real(load.memory());
    out.real(load.network());
    out.number(load.connections());
    out.end(begun);
  }

  private static Load readLoad(Reader in) {
    int outer = in.enter();
    Load load = new Load(in.real(), in.real(), in.real(), in.integer());
    in.leave(outer);
    return load;
  }
}
