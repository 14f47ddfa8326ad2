package io.belfry.library;

import io.belfry.core.keys.Keys;
import io.belfry.core.record.NodeRecord;
import io.belfry.core.record.Records;
import io.belfry.core.record.SafeDecoder;
import io.belfry.core.record.Term;
import io.belfry.store.Entry;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Status;
import io.belfry.store.Store;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The nodes and the leader of the cluster, the same on every node.
 *
 * @param leader the leader; empty if there is none
 * @param since when the leader was elected, by its own clock; empty if there is no leader
 * @param term term of the current or last leader; 0 if there was none
 * @param elections number of elections won in this namespace
 * @param nodes up to 1,000 nodes that have a lease, with roles, address, version, start and last heartbeat
 * @param engine status of the store's engine
 * @param electionEngine status of the election engine, if it is a separate one
 */
public record ClusterStatus(
    Optional<String> leader,
    Optional<Instant> since,
    long term,
    long elections,
    List<NodeRecord> nodes,
    Status engine,
    Optional<Status> electionEngine) {

  public ClusterStatus {
    nodes = List.copyOf(nodes);
  }

  /**
   * Whether the elected leader is active: its term is written, and its lease on the store says that it leads. A leader that cannot reach the
   * store is not active, even if it holds the election key.
   */
  public boolean isLed() {
    return leader
        .filter(id -> nodes.stream().anyMatch(node -> node.id().equals(id) && node.leads()))
        .isPresent();
  }

  /** Sends all reads at once, so that the total takes as long as the slowest one. */
  static CompletionStage<ClusterStatus> read(Store state, Store election) {
    CompletionStage<List<Entry>> fence = state.get(List.of(Keys.FENCE));
    CompletionStage<List<Entry>> held = election.get(List.of(Keys.LEADER));
    CompletionStage<Page> nodes = state.scan(Scan.all(Keys.NODES));
    CompletionStage<Status> engine = state.status();
    CompletionStage<Optional<Status>> other = state.equals(election)
        ? engine.thenApply(same -> Optional.empty())
        : election.status().thenApply(Optional::of);
    return fence.thenCompose(term ->
        held.thenCompose(leader -> nodes.thenCompose(page -> engine.thenCompose(
            status -> other.thenApply(second -> of(term, leader, page, status, second))))));
  }

  private static ClusterStatus of(
      List<Entry> fence, List<Entry> held, Page nodes, Status engine, Optional<Status> other) {
    Optional<Term> term = fence.stream().findFirst().map(entry -> Records.term(entry.value()));
    Optional<String> holder =
        held.stream().findFirst().map(entry -> new String(entry.value(), StandardCharsets.UTF_8));
    // A node that holds the key but has not written its term yet does not lead.
    Optional<Term> leads =
        term.filter(found -> holder.filter(found.leader()::equals).isPresent());
    long number = term.map(Term::number).orElse(0L);
    return new ClusterStatus(
        leads.map(Term::leader),
        leads.map(Term::since),
        number,
        number,
        nodes.entries().stream()
            .flatMap(entry -> SafeDecoder.read(entry, each -> Records.node(each.value())).stream())
            .toList(),
        engine,
        other);
  }
}
