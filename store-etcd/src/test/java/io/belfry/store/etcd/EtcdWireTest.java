package io.belfry.store.etcd;

import static io.belfry.testkit.contract.Subject.answer;
import static io.belfry.testkit.contract.Subject.bytes;
import static io.belfry.testkit.contract.Subject.done;
import static io.belfry.testkit.contract.Subject.key;
import static io.belfry.testkit.contract.Subject.put;
import static io.belfry.testkit.contract.Subject.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belfry.model.time.Time;
import io.belfry.store.Commit;
import io.belfry.store.Feed;
import io.belfry.store.Guard;
import io.belfry.store.Key;
import io.belfry.store.Lease;
import io.belfry.store.Outcome;
import io.belfry.store.Space;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import io.belfry.store.Watch;
import io.belfry.store.etcd.EtcdSettings.Timeouts;
import io.belfry.testkit.contract.WatchProbe;
import io.belfry.testkit.engine.EtcdServer;
import io.belfry.testkit.engine.Ports;
import io.belfry.testkit.engine.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the wire does to us: nothing hangs, nothing is claimed that is not known, no watch misses or doubles. */
@Timeout(120)
class EtcdWireTest {
  private static final Space SPACE = Space.plain("s").inOrder().watchedTogether();
  private static final Timeouts QUICK = new Timeouts(
      Duration.ofMillis(500), Duration.ofSeconds(2), Duration.ofMillis(200), Duration.ofSeconds(1));

  private static EtcdServer etcd;
  private static int namespaces;

  private TcpProxy wire;
  private EtcdStore store;
  private Store direct;

  @BeforeAll
  static void startEtcd() {
    etcd = EtcdServer.start();
  }

  @AfterAll
  static void stopEtcd() {
    etcd.close();
  }

  @BeforeEach
  void open() {
    namespaces++;
    wire = TcpProxy.to(etcd.port());
    store = EtcdStore.connect(settings(wire.port()));
    direct = EtcdStore.connect(settings(etcd.port()));
  }

  @AfterEach
  void close() {
    store.close();
    direct.close();
    wire.close();
  }

  private static EtcdSettings settings(int... ports) {
    String members = String.join(
        ",", IntStream.of(ports).mapToObj(port -> "127.0.0.1:" + port).toList());
    return EtcdSettings.of("etcd://" + members, "ns" + namespaces).timeouts(QUICK);
  }

  @Nested
  class Commits {
    @Test
    void whose_answer_is_swallowed_are_unknown_and_settled_by_committing_again() {
      Key own = key(SPACE, "own");
      Commit commit = Commit.when().absent(own).put(own, bytes("mine")).build();
      wire.holdAnswers();
      assertThatThrownBy(() -> answer(store.commit(commit)))
          .isInstanceOf(StoreException.Unknown.class);
      wire.breakConnections();
      wire.release();
      await("it was applied all the same").until(() -> read(direct, own).isPresent());
      assertThat(Persistent.commit(store, commit))
          .isInstanceOfSatisfying(
              Outcome.Refused.class,
              refused -> assertThat(refused.guard()).isEqualTo(new Guard.Absent(own)));
      assertThat(read(store, own)).contains("mine");
    }

    @Test
    void that_never_leave_are_unavailable_and_not_done() {
      assertThat(store.reconnects()).isZero();
      wire.cut();
      Key own = key(SPACE, "own");
      await("the broken line was noticed").until(() -> {
        try {
          answer(store.get(List.of(own)));
          return false;
        } catch (StoreException.Unavailable e) {
          return true;
        }
      });
      assertThatThrownBy(() -> done(store, Commit.when().put(own, bytes("never"))))
          .isInstanceOf(StoreException.Unavailable.class)
          .hasMessageContaining("Nothing was sent");
      wire.mend();
      done(direct, Commit.when().absent(own).put(own, bytes("first")));
      Persistent.commit(
          store, Commit.when().put(key(SPACE, "back"), bytes("again")).build());
      assertThat(store.reconnects()).isPositive();
    }

    @Test
    void go_to_the_next_member_when_the_first_refuses_or_stays_silent() {
      try (TcpProxy silent = TcpProxy.to(etcd.port());
          Store patient = silentFirst(silent)) {
        put(patient, key(SPACE, "a"), "1");
        assertThat(read(patient, key(SPACE, "a"))).contains("1");
      }
    }

    private Store silentFirst(TcpProxy silent) {
      silent.holdAll();
      return EtcdStore.connect(settings(Ports.free(), silent.port(), etcd.port()));
    }
  }

  @Nested
  class Connecting {
    @Test
    void to_nobody_fails_in_time_and_says_whom_it_asked() {
      int nobody = Ports.free();
      assertThatThrownBy(() -> EtcdStore.connect(settings(nobody)))
          .isInstanceOf(StoreException.Unavailable.class)
          .hasMessageContaining("127.0.0.1:" + nobody);
    }

    @Test
    void to_one_who_says_nothing_fails_in_time() {
      wire.holdAll();
      assertThatThrownBy(() -> EtcdStore.connect(settings(wire.port())))
          .isInstanceOf(StoreException.Unavailable.class);
    }

    @Test
    void to_an_unknown_host_fails_in_time() {
      EtcdSettings nowhere =
          EtcdSettings.of("etcd://no-such-host.invalid:2379", "ns").timeouts(QUICK);
      assertThatThrownBy(() -> EtcdStore.connect(nowhere))
          .isInstanceOf(StoreException.Unavailable.class)
          .hasMessageContaining("no-such-host.invalid");
    }
  }

  @Nested
  class Watches {
    @Test
    void resume_across_broken_connections_without_a_gap_or_a_double() {
      WatchProbe ear = new WatchProbe();
      try (Watch watch = store.watch(Feed.of(SPACE), Watch.NOW, ear)) {
        ear.opened();
        var written = new ArrayList<Long>();
        for (int round = 0; round < 8; round++) {
          for (int i = 0; i < 25; i++) {
            written.add(put(direct, key(SPACE, "k" + i % 3), "v" + i));
            if (i == 12) {
              wire.breakConnections();
            }
          }
        }
        assertThat(written)
            .allSatisfy(revision -> assertThat(ear.changed().revision()).isEqualTo(revision));
      }
    }

    @Test
    void that_were_cut_off_while_history_was_compacted_are_told_so() {
      WatchProbe ear = new WatchProbe();
      try (Watch watch = store.watch(Feed.of(SPACE), Watch.NOW, ear)) {
        ear.opened();
        wire.cut();
        put(direct, key(SPACE, "a"), "missed");
        put(direct, key(SPACE, "a"), "missed, too");
        etcd.gateway().compact();
        wire.mend();
        ear.awaitCompacted();
      }
    }

    /** gRPC's own ping would notice, too, but only after ten seconds. */
    @Test
    void behind_a_silent_connection_move_on_before_a_ping_would_notice() {
      try (Store two = EtcdStore.connect(settings(wire.port(), etcd.port()))) {
        WatchProbe ear = new WatchProbe();
        try (Watch watch = two.watch(Feed.of(SPACE), Watch.NOW, ear)) {
          ear.opened();
          long silentSince = Time.system().nanos();
          wire.holdAll();
          long revision = put(direct, key(SPACE, "a"), "1");
          assertThat(ear.changed().revision()).isEqualTo(revision);
          assertThat(Duration.ofNanos(Time.system().nanos() - silentSince))
              .isLessThan(Duration.ofSeconds(10));
        }
      }
    }

    @Test
    void catch_up_with_more_than_fits_into_one_answer() {
      long start = put(direct, key(SPACE, "start"), "x");
      var written = new ArrayList<Long>();
      for (int i = 0; i < 24; i++) {
        written.add(done(
            direct,
            Commit.when()
                .put(key(SPACE, "a" + i), new byte[400 << 10])
                .put(key(SPACE, "b" + i), new byte[400 << 10])));
      }
      WatchProbe ear = new WatchProbe();
      try (Watch watch = store.watch(Feed.of(SPACE), start, ear)) {
        ear.opened();
        for (long revision : written) {
          WatchProbe.Event.Changed heard = ear.changed();
          assertThat(heard.revision()).isEqualTo(revision);
          assertThat(heard.changes()).hasSize(2);
        }
      }
    }
  }

  @Test
  void a_lease_is_kept_across_broken_connections() {
    Lease lease = answer(store.grant(Duration.ofSeconds(5)));
    done(store, Commit.when().put(key(SPACE, "alive"), bytes("1"), lease.id()));
    for (int i = 0; i < 5; i++) {
      wire.breakConnections();
      assertThat(answer(store.renew(lease.id()))).isTrue();
    }
    assertThat(read(store, key(SPACE, "alive"))).isPresent();
  }

  @Test
  void closing_over_a_silent_wire_answers_everybody_and_leaves_no_thread() {
    EtcdStore doomed = EtcdStore.connect(settings(wire.port()));
    WatchProbe ear = new WatchProbe();
    doomed.watch(Feed.of(SPACE), Watch.NOW, ear);
    ear.opened();
    wire.holdAll();
    List<CompletionStage<Outcome>> answers = IntStream.range(0, 1_000)
        .mapToObj(i ->
            doomed.commit(Commit.when().put(key(SPACE, "k" + i), bytes("v")).build()))
        .toList();
    var reading = doomed.get(List.of(key(SPACE, "a")));
    List<Thread> threads = doomed.threads();
    assertThat(threads).isNotEmpty();
    doomed.close();
    for (CompletionStage<Outcome> each : answers) {
      assertThatThrownBy(() -> answer(each))
          .isInstanceOfAny(StoreException.Closed.class, StoreException.Unknown.class);
    }
    assertThatThrownBy(() -> answer(reading)).isInstanceOf(StoreException.class);
    assertThat(threads).noneMatch(Thread::isAlive);
  }
}
