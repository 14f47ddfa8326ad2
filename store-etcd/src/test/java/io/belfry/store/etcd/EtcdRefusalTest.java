package io.belfry.store.etcd;

import static io.belfry.testkit.contract.Subject.answer;
import static io.belfry.testkit.contract.Subject.bytes;
import static io.belfry.testkit.contract.Subject.key;
import static io.belfry.testkit.contract.Subject.put;
import static io.belfry.testkit.contract.Subject.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.belfry.model.time.Time;
import io.belfry.store.Change;
import io.belfry.store.Commit;
import io.belfry.store.Feed;
import io.belfry.store.Key;
import io.belfry.store.Lease;
import io.belfry.store.Space;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import io.belfry.store.Watch;
import io.belfry.testkit.contract.WatchProbe;
import io.belfry.testkit.engine.EtcdGateway;
import io.belfry.testkit.engine.EtcdServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A refusal by etcd is an outage with a reason: calls fail at once, everything goes on by itself when it is over. */
@Timeout(120)
class EtcdRefusalTest {
  private static final Space SPACE = Space.plain("s").watchedTogether();
  private static final Key A = key(SPACE, "a");
  private static final String FROM = "/belfry/";
  private static final String TO = "/belfry0";
  private static final Duration SOON = Duration.ofSeconds(10);

  private final Time time = Time.system();
  private EtcdServer etcd;
  private EtcdGateway root;
  private Store store;

  @BeforeEach
  void open() {
    etcd = EtcdServer.start();
    etcd.gateway().enableAuthentication("joe", "s3cret", FROM, TO);
    root = etcd.gateway().as("root", "root-s3cret");
    store = EtcdStore.connect(EtcdSettings.of(etcd.uri(), "ns").user("joe", "s3cret"));
  }

  @AfterEach
  void close() {
    store.close();
    etcd.close();
  }

  @Test
  void a_permission_that_is_revoked_for_a_while_is_an_outage_with_a_reason() {
    Lease lease = answer(store.grant(Duration.ofSeconds(60)));
    WatchProbe before = new WatchProbe();
    WatchProbe during = new WatchProbe();
    try (Logged logged = Logged.begin();
        Watch first = store.watch(Feed.of(SPACE), Watch.NOW, before)) {
      before.opened();
      root.revokePermission(FROM, TO);
      long asked = time.nanos();
      assertThatThrownBy(() -> put(store, A, "refused"))
          .isInstanceOf(StoreException.Denied.class)
          .hasMessageContaining("permission");
      assertThatThrownBy(() -> read(store, A)).isInstanceOf(StoreException.Denied.class);
      assertThat(Duration.ofNanos(time.nanos() - asked)).isLessThan(Duration.ofSeconds(2));
      try (Watch second = store.watch(Feed.of(SPACE), Watch.NOW, during)) {
        await("the refused watch was tried")
            .atMost(SOON)
            .until(() -> !logged.lines(Level.WARN, "etcd: ").isEmpty());
        for (int i = 0; i < 50; i++) {
          assertThatThrownBy(() -> put(store, A, "refused"))
              .isInstanceOf(StoreException.Denied.class);
        }
        assertThat(during.silentFor(Duration.ofSeconds(3))).isTrue();
        root.grantPermission(FROM, TO);

        during.opened();
        long revision = put(store, A, "permitted");
        assertThat(before.changed().revision()).isEqualTo(revision);
        assertThat(during.changed().revision()).isEqualTo(revision);
        assertThat(answer(store.renew(lease.id()))).isTrue();
        answer(store.commit(
            Commit.when().put(key(SPACE, "leased"), bytes("1"), lease.id()).build()));
        await("the end of the outage is logged")
            .atMost(SOON)
            .until(() -> !logged.lines(Level.INFO, "etcd: etcd serves again").isEmpty());
      }
      assertThat(logged.lines(Level.WARN, "etcd: "))
          .as("52 equal errors are one line")
          .hasSize(1)
          .allSatisfy(line -> assertThat(line).contains("permission denied", "until etcd permits"));
      assertThat(logged.lines(Level.INFO, "etcd: etcd serves again"))
          .singleElement()
          .asString()
          .contains("REFUSED");
    }
  }

  @Test
  void a_watch_on_what_it_may_not_see_waits_for_the_permission_and_the_others_go_on() {
    Space forbidden = Space.plain("z").watchedTogether();
    root.revokePermission(FROM, TO);
    root.grantPermission(FROM, "/belfry/ns/z");
    WatchProbe allowed = new WatchProbe();
    WatchProbe waiting = new WatchProbe();
    try (Watch one = store.watch(Feed.of(SPACE), Watch.NOW, allowed);
        Watch other = store.watch(Feed.of(forbidden), Watch.NOW, waiting)) {
      allowed.opened();
      long revision = put(store, A, "1");
      assertThat(allowed.changed().revision()).isEqualTo(revision);
      assertThat(waiting.silentFor(Duration.ofSeconds(2))).isTrue();

      root.grantPermission("/belfry/ns/z", TO);
      waiting.opened();
      long seen = put(store, key(forbidden, "b"), "2");
      assertThat(waiting.changed().changes())
          .singleElement()
          .isInstanceOfSatisfying(
              Change.Put.class, change -> assertThat(change.entry().revision()).isEqualTo(seen));
    }
  }

  @Test
  void a_member_that_is_gone_for_a_while_is_logged_once_with_how_long_it_took() {
    put(store, A, "1");
    try (Logged logged = Logged.begin()) {
      etcd.process().kill();
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> put(store, A, "2")).isInstanceOf(StoreException.class);
      }
      etcd.process().start();
      Persistent.commit(store, Commit.when().put(A, bytes("3")).build());
      await("the end of the outage is logged")
          .atMost(SOON)
          .until(() -> !logged.lines(Level.INFO, "etcd: etcd serves again").isEmpty());
      assertThat(logged.lines(Level.WARN, "etcd: "))
          .singleElement()
          .asString()
          .contains("127.0.0.1", "leases");
    }
  }
}
