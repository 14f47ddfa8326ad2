package io.belfry.library;

import io.belfry.core.keys.Keys;
import io.belfry.core.record.Legible;
import io.belfry.core.record.NodeRecord;
import io.belfry.core.record.Records;
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
 * Who is there and who leads, the same on every node.
 *
 * @param leader the node that leads; empty while nobody does
 * @param since when it was elected, by its own clock; empty while nobody leads
 * @param term of the leader, or of the last there was; 0 if there was none
 * @param elections how many were won in this namespace so far
 * @param nodes those that have a lease, up to a thousand: roles, address, version, start and last heartbeat of each
 * @param engine what everything is kept on
 * @param electionEngine what leaders are elected on, where that is another
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
   * Whether somebody really leads: it holds the lead, its term is written, and it has a lease on the engine where everything is kept, under
   * which it says that it leads. Who is cut off from that engine does not lead, whatever the election says.
   */
  public boolean isLed() {
    return leader
        .filter(id -> nodes.stream().anyMatch(node -> node.id().equals(id) && node.leads()))
        .isPresent();
  }

  /** Asks everything at once, so that the whole takes no longer than its slowest part. */
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
    // Who holds the key but has not raised the term yet does not lead.
    Optional<Term> leads =
        term.filter(found -> holder.filter(found.leader()::equals).isPresent());
    long number = term.map(Term::number).orElse(0L);
    return new ClusterStatus(
        leads.map(Term::leader),
        leads.map(Term::since),
        number,
        number,
        nodes.entries().stream()
            .flatMap(entry -> Legible.read(entry, each -> Records.node(each.value())).stream())
            .toList(),
        engine,
        other);
  }
}
