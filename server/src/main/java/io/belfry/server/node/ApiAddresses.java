package io.belfry.server.node;

import io.belfry.core.follow.Follower;
import io.belfry.core.loop.Loop;
import io.belfry.server.access.RecordTable;
import io.belfry.server.access.Spaces;
import io.belfry.store.Commit;
import io.belfry.store.Endpoint;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Lease;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The API addresses of all nodes of the cluster, so that egress rules can keep jobs from calling them (SSRF). Each node announces its port and
 * the addresses of its machine under a lease, and watches the announcements of the others.
 *
 * <pre>
 *   announce(port) ──▶ lease ──▶ record {port, addresses} ──watch──▶ every node: endpoints()
 *                        └── renewed every 15 s; a node that is paused or cut off for less than a minute stays known
 * </pre>
 *
 * Calls to a node are blocked on all addresses that it announces, and for a node on the same machine on all addresses of the machine, including
 * loopback. A node that shares an address with this one may be on the same machine, or on another one with the same address, such as 172.17.0.1
 * of Docker: both are assumed. The loopback of another machine is a different address and is not blocked.
 *
 * <p>Threading: confined to its loop, but for {@link #announce}, {@link #endpoints}, {@link #loaded} and {@link #stop}.
 */
final class ApiAddresses {
  private static final Duration LEASE = Duration.ofSeconds(60);
  private static final Duration RENEW = Duration.ofSeconds(15);
  private static final Duration RETRY = Duration.ofMillis(500);
  private static final String THIS_MACHINE = "*";
  private static final int PORT_MAX = 65_535;

  /**
   * The announcement of a node.
   *
   * @param addresses addresses of its machine, without loopback and link-local ones
   */
  record Listening(int port, List<String> addresses) {
    Listening {
      addresses = List.copyOf(addresses);
    }
  }

  private final Loop loop;
  private final Store store;
  private final Key key;
  private final Supplier<Set<String>> local;
  private final Follower follower;
  private final CompletableFuture<Void> loaded = new CompletableFuture<>();
  private final Map<String, Listening> known = new HashMap<>();
  private volatile Set<Endpoint> endpoints = Set.of();
  private Optional<Integer> port = Optional.empty();
  private @Nullable Lease lease;
  private @Nullable Listening written;
  /** Whether a write is in flight or will be retried, so that renewals start no second one during an outage. */
  private boolean writing;

  /** Counts announcements: steps of an earlier one are ignored. */
  private int generation;

  private boolean stopped;

  /**
   * Starts watching, without an announcement.
   *
   * @param incarnation unique id of this process
   * @param local addresses of this machine; called repeatedly, because they change
   */
  ApiAddresses(Loop loop, Store store, String incarnation, Supplier<Set<String>> local) {
    this.loop = loop;
    this.store = store;
    this.key = Key.of(Spaces.APIS, incarnation);
    this.local = local;
    this.follower = new Follower(loop, store, Spaces.APIS, new Announced());
    loop.post(follower::start);
  }

  /** Completes when the announcements of the other nodes have been loaded. */
  CompletableFuture<Void> loaded() {
    return loaded;
  }

  /** The API endpoints of all announced nodes; the host {@code *} is this machine. */
  Set<Endpoint> endpoints() {
    return endpoints;
  }

  /** Announces the API of this node at this port. */
  void announce(int listening) {
    loop.post(() -> {
      port = Optional.of(listening);
      begin();
    });
  }

  /** Withdraws the announcement; completes when the engine has answered, or failed. */
  CompletableFuture<Void> stop() {
    var gone = new CompletableFuture<Void>();
    loop.post(() -> {
      stopped = true;
      generation++;
      follower.stop();
      Lease held = lease;
      if (held == null) {
        gone.complete(null);
      } else {
        loop.onResult(store.revoke(held.id()), done -> gone.complete(null), failure -> {
          gone.complete(null); // the lease expires on its own
        });
      }
    });
    return gone;
  }

  private void begin() {
    int now = ++generation;
    lease = null;
    written = null;
    writing = false;
    loop.onResult(
        store.grant(LEASE),
        granted -> {
          if (now == generation) {
            lease = granted;
            renew(now);
          } else {
            var unused = store.revoke(granted.id());
          }
        },
        failure -> again(now));
  }

  private void again(int of) {
    var unused = loop.after(RETRY, () -> {
      if (of == generation && !stopped) {
        begin();
      }
    });
  }

  private void renew(int of) {
    Lease held = lease;
    if (of != generation || stopped || held == null) {
      return;
    }
    var unused = loop.after(RENEW, () -> renew(of));
    loop.onResult(
        store.renew(held.id()),
        alive -> {
          if (of == generation && !alive && !stopped) {
            begin();
          }
        },
        failure -> {
          // The next renewal tries again, and detects an expired lease.
        });
    publish(); // the addresses of this machine may have changed
    if (!writing) {
      write(of, held);
    }
  }

  private void write(int of, Lease held) {
    var record = new Listening(port.orElseThrow(), local.get().stream().sorted().toList());
    writing = !record.equals(written);
    if (!writing) {
      return;
    }
    Commit commit = Commit.when().put(key, RecordTable.bytes(record), held.id()).build();
    loop.onResult(
        store.commit(commit),
        outcome -> {
          if (of != generation) {
            return;
          }
          writing = false;
          if (outcome instanceof Outcome.LeaseEnded) {
            again(of);
          } else {
            written = record;
          }
        },
        failure -> {
          var unused = loop.after(RETRY, () -> {
            if (of == generation && !stopped) {
              write(of, held);
            }
          });
        });
  }

  private void publish() {
    Set<String> mine = local.get();
    var all = new HashSet<Endpoint>();
    known.values().forEach(each -> {
      each.addresses.forEach(address -> all.add(new Endpoint(address, each.port)));
      boolean mayBeHere =
          each.addresses.isEmpty() || each.addresses.stream().anyMatch(mine::contains);
      if (mayBeHere) {
        all.add(new Endpoint(THIS_MACHINE, each.port));
      }
    });
    endpoints = Set.copyOf(all);
  }

  private final class Announced implements Follower.Sink {
    private boolean loading;

    @Override
    public void loading() {
      loading = true;
      known.clear();
    }

    @Override
    public void put(Entry entry) {
      RecordTable.tryRead(entry, Listening.class)
          .filter(each -> each.port >= 1 && each.port <= PORT_MAX)
          .ifPresent(each -> known.put(entry.key().text(), each));
      changed();
    }

    @Override
    public void deleted(Key gone, long revision) {
      known.remove(gone.text());
      changed();
    }

    @Override
    public void loaded() {
      loading = false;
      changed();
      loaded.complete(null);
    }

    private void changed() {
      if (!loading) {
        publish();
      }
    }
  }
}
