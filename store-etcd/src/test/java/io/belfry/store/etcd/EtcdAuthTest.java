package io.belfry.store.etcd;

import static io.belfry.testkit.contract.Subject.answer;
import static io.belfry.testkit.contract.Subject.bytes;
import static io.belfry.testkit.contract.Subject.key;
import static io.belfry.testkit.contract.Subject.put;
import static io.belfry.testkit.contract.Subject.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.store.Change;
import io.belfry.store.Commit;
import io.belfry.store.Feed;
import io.belfry.store.Lease;
import io.belfry.store.Outcome;
import io.belfry.store.Space;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import io.belfry.store.Watch;
import io.belfry.testkit.contract.WatchProbe;
import io.belfry.testkit.engine.EtcdServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An etcd with users: ours may touch nothing but its prefix, and its token may be forgotten at any time. */
@Timeout(120)
class EtcdAuthTest {
  private static final Space SPACE = Space.plain("s").watchedTogether();

  private static EtcdServer etcd;

  @BeforeAll
  static void startEtcd() {
    etcd = EtcdServer.start();
    etcd.gateway().enableAuthentication("joe", "s3cret", "/belfry/", "/belfry/ns/z");
  }

  @AfterAll
  static void stopEtcd() {
    etcd.close();
  }

  private static EtcdSettings settings() {
    return EtcdSettings.of(etcd.uri(), "ns");
  }

  @Test
  void a_user_with_a_password_may_do_everything_under_its_prefix() {
    try (Store store = EtcdStore.connect(settings().user("joe", "s3cret"))) {
      WatchProbe ear = new WatchProbe();
      try (Watch watch = store.watch(Feed.of(SPACE), Watch.NOW, ear)) {
        ear.opened();
        Lease lease = answer(store.grant(Duration.ofSeconds(30)));
        Commit commit =
            Commit.when().put(key(SPACE, "a"), bytes("1"), lease.id()).build();
        assertThat(answer(store.commit(commit))).isInstanceOf(Outcome.Done.class);
        ear.changed();
        assertThat(answer(store.renew(lease.id()))).isTrue();
        answer(store.revoke(lease.id()));
        assertThat(ear.changed().changes()).containsExactly(new Change.Deleted(key(SPACE, "a")));
        assertThat(answer(store.status()).version()).startsWith("3.");
      }
    }
  }

  @Test
  void a_wrong_password_or_none_is_denied_and_not_repeated_in_the_message() {
    assertThatThrownBy(() -> EtcdStore.connect(settings().user("joe", "wr0ng")))
        .isInstanceOf(StoreException.Denied.class)
        .hasMessageContaining("etcd.password")
        .message()
        .doesNotContain("wr0ng");
    assertThatThrownBy(() -> EtcdStore.connect(settings()))
        .isInstanceOf(StoreException.Denied.class);
  }

  @Test
  void another_prefix_is_denied() {
    EtcdSettings elsewhere = settings().user("joe", "s3cret").prefix("/others/ns/");
    assertThatThrownBy(() -> EtcdStore.connect(elsewhere))
        .isInstanceOf(StoreException.Denied.class)
        .hasMessageContaining("permissions");
  }

  @Test
  void tokens_that_etcd_forgot_are_renewed_for_commits_reads_leases_and_watches() {
    try (Store store = EtcdStore.connect(settings().user("joe", "s3cret"))) {
      Lease lease = answer(store.grant(Duration.ofSeconds(60)));
      WatchProbe before = new WatchProbe();
      try (Watch old = store.watch(Feed.of(SPACE), Watch.NOW, before)) {
        before.opened();
        etcd.process().kill();
        etcd.process().start();
        Commit commit = Commit.when().put(key(SPACE, "c"), bytes("3")).build();
        Outcome outcome = Persistent.commit(store, commit);
        assertThat(outcome).isInstanceOf(Outcome.Done.class);
        assertThat(before.changed().revision()).isEqualTo(((Outcome.Done) outcome).revision());
        assertThat(read(store, key(SPACE, "c"))).contains("3");
        assertThat(answer(store.renew(lease.id()))).isTrue();
        WatchProbe after = new WatchProbe();
        try (Watch fresh = store.watch(Feed.of(SPACE), Watch.NOW, after)) {
          after.opened();
          long revision = put(store, key(SPACE, "d"), "4");
          assertThat(after.changed().revision()).isEqualTo(revision);
        }
      }
    }
  }

  @Test
  void an_etcd_without_users_takes_one_with_a_password_all_the_same() {
    try (EtcdServer open = EtcdServer.start();
        Store store = EtcdStore.connect(EtcdSettings.of(open.uri(), "ns").user("joe", "s3cret"))) {
      put(store, key(SPACE, "a"), "1");
      open.gateway().enableAuthentication("joe", "s3cret", "/belfry/", "/belfry0");
      put(store, key(SPACE, "a"), "2");
      assertThat(read(store, key(SPACE, "a"))).contains("2");
    }
  }
}
