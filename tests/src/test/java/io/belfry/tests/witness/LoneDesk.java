package io.belfry.tests.witness;

import io.belfry.model.time.Time;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The desk of an engine that belongs to one process: whoever wants to say something stops that process in good order, opens the store
 * itself, and starts it again.
 *
 * <p>Threading: confined to the driver.
 */
final class LoneDesk implements Desk {
  private final Time time = Time.system();
  private final Engine engine;
  private final Fleet fleet;
  private final String node;

  LoneDesk(Engine engine, Fleet fleet) {
    this.engine = engine;
    this.fleet = fleet;
    this.node = fleet.all().getFirst();
  }

  private <T> T meanwhile(Function<Client, T> what) {
    if (fleet.isRunning(node)) {
      fleet.stop(node);
    }
    try (var client = new Client(engine)) {
      return what.apply(client);
    }
  }

  private <T> T between(Function<Client, T> what) {
    T answer = meanwhile(what);
    fleet.start(node);
    return answer;
  }

  @Override
  public List<Promise> save(Function<Instant, List<JobPlan>> jobs) {
    return between(client -> client.save(jobs));
  }

  @Override
  public List<Promise> retire(List<Promise> promises) {
    Instant asked = time.wall(); // before the process is stopped, and fires nothing any more
    return between(client -> client.retire(promises, asked));
  }

  @Override
  public Optional<String> leader() {
    return fleet.isRunning(node) && fleet.leads(node)
        ? Optional.of(node + "~" + fleet.restarts())
        : Optional.empty();
  }

  @Override
  public boolean isSettled() {
    // What the process says saves stopping it again and again; what stands in the store decides.
    return fleet.saysSettled(node) && between(Client::isSettled);
  }

  @Override
  public Told told() {
    return meanwhile(Client::told);
  }

  @Override
  public int terms() {
    return fleet.terms(node).size();
  }

  @Override
  public void close() {
    // Nothing is open between two orders.
  }
}
