package io.belfry.server.node;

import io.belfry.core.follow.Follower;
import io.belfry.core.loop.Loop;
import io.belfry.server.access.Desk;
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
 * Where the APIs of all nodes of the cluster listen, so that no job calls them. Each node announces its port and the addresses of its machine
 * under a lease, and follows what the others announce.
 *
 * <pre>
 *   announce(port) ──▶ lease ──▶ record {port, addresses} ──feed──▶ every node: endpoints()
 *                        └── renewed every 15 s; a node that is paused or cut off for less than a minute stays known
 * </pre>
 *
 * A node is refused on all addresses that it announces, and a node on the same machine on all addresses of the machine, loopback too. A node that
 * shares an address with this one may be on the same machine, or on another one that has that address as well, as 172.17.0.1 of Docker: both
 * are assumed. The loopback of another machine is not ours: what listens there at that port is left alone.
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
   * What a node announces.
   *
   * @param addresses of its machine, without loopback and link-local ones
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
  /** Whether a write is under way or will be tried again: renewals begin no second one while the engine is away. */
  private boolean writing;

  private int life;
  private boolean stopped;

  /**
   * Announces nothing yet.
   *
   * @param incarnation unique for this process
   * @param local addresses of this machine; asked again and again, because they change
   */
  ApiAddresses(Loop loop, Store store, String incarnation, Supplier<Set<String>> local) {
    this.loop = loop;
    this.store = store;
    this.key = Key.of(Spaces.APIS, incarnation);
    this.local = local;
    this.follower = new Follower(loop, store, Spaces.APIS, new Announced());
    loop.post(follower::start);
  }

  /** Completes once the addresses of the nodes that are there already are known. */
  CompletableFuture<Void> loaded() {
    return loaded;
  }

  /** Those of all nodes that have announced themselves; the host {@code *} is this machine. */
  Set<Endpoint> endpoints() {
    return endpoints;
  }

  /** The API of this node listens at this port. */
  void announce(int listening) {
    loop.post(() -> {
      port = Optional.of(listening);
      begin();
    });
  }

  /** Takes the announcement back; completes once the engine has been told, or could not be. */
  CompletableFuture<Void> stop() {
    var gone = new CompletableFuture<Void>();
    loop.post(() -> {
      stopped = true;
      life++;
      follower.stop();
      Lease held = lease;
      if (held == null) {
        gone.complete(null);
      } else {
        loop.onResult(store.revoke(held.id()), done -> gone.complete(null), failure -> {
          gone.complete(null); // it ends by itself
        });
      }
    });
    return gone;
  }

  private void begin() {
    int now = ++life;
    lease = null;
    written = null;
    writing = false;
    loop.onResult(
        store.grant(LEASE),
        granted -> {
          if (now == life) {
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
      if (of == life && !stopped) {
        begin();
      }
    });
  }

  private void renew(int of) {
    Lease held = lease;
    if (of != life || stopped || held == null) {
      return;
    }
    var unused = loop.after(RENEW, () -> renew(of));
    loop.onResult(
        store.renew(held.id()),
        alive -> {
          if (of == life && !alive && !stopped) {
            begin();
          }
        },
        failure -> {
          // The next renewal tries again, and a lease that has ended is noticed then.
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
    Commit commit = Commit.when().put(key, Desk.bytes(record), held.id()).build();
    loop.onResult(
        store.commit(commit),
        outcome -> {
          if (of != life) {
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
            if (of == life && !stopped) {
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
      Desk.legible(entry, Listening.class)
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
