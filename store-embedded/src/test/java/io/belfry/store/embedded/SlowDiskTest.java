package io.belfry.store.embedded;

import static io.belfry.testkit.contract.Subject.answer;
import static io.belfry.testkit.contract.Subject.bytes;
import static io.belfry.testkit.contract.Subject.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.store.Commit;
import io.belfry.store.Key;
import io.belfry.store.Lease;
import io.belfry.store.Outcome;
import io.belfry.store.Space;
import io.belfry.testkit.ManualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A slow disk says nothing about who is alive: renewing a lease writes nothing, and does not wait for a sync. */
class SlowDiskTest {
  private static final Key KEY = Key.of(Space.plain("s").inOrder(), "k");
  private static final Duration TTL = Duration.ofSeconds(4);

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
  Path temp;

  private final ManualTime time = new ManualTime(Instant.parse("2027-01-01T00:00:00Z"));
  private final HoldingDisk disk = new HoldingDisk();

  @SuppressWarnings("NullAway.Init") // opened before each test
  private EmbeddedStore store;

  @SuppressWarnings("NullAway.Init") // granted before each test
  private Lease lease;

  @BeforeEach
  void open() {
    store = EmbeddedStore.open(EmbeddedSettings.of(temp.resolve("store")), time, disk);
    lease = answer(store.grant(TTL));
    answer(store.commit(Commit.when().put(KEY, bytes("1"), lease.id()).build()));
  }

  @AfterEach
  void close() {
    release();
    store.close();
  }

  private void hold() {
    disk.holding = true;
  }

  private void release() {
    disk.holding = false;
    disk.allowed.release(1_000);
  }

  private CompletableFuture<Outcome> heldCommit() {
    hold();
    CompletableFuture<Outcome> commit = store
        .commit(Commit.when().put(Key.of(KEY.space(), "other"), bytes("2")).build())
        .toCompletableFuture();
    disk.arrived.acquireUninterruptibly();
    return commit;
  }

  private boolean renewedAtOnce() {
    CompletableFuture<Boolean> renewed = store.renew(lease.id()).toCompletableFuture();
    return renewed.isDone() && renewed.join();
  }

  @Test
  void a_lease_is_renewed_while_a_sync_lasts_longer_than_it() {
    CompletableFuture<Outcome> commit = heldCommit();
    for (int second = 0; second < 6; second++) {
      time.advance(Duration.ofSeconds(1));
      assertThat(renewedAtOnce()).as("second %s", second).isTrue();
    }
    release();
    assertThat(answer(commit)).isInstanceOf(Outcome.Done.class);
    answer(store.tick());
    assertThat(read(store, KEY)).contains("1");
    assertThat(answer(store.renew(lease.id()))).isTrue();
  }

  /** Time as it passes for a store that runs: in small steps, each of them looked at. */
  private void pass(Duration duration) {
    for (Duration rest = duration; rest.isPositive(); rest = rest.minusMillis(500)) {
      time.advance(Duration.ofMillis(500));
      answer(store.tick());
    }
  }

  @Test
  void a_lease_that_nobody_renews_ends_all_the_same() {
    pass(TTL.minusMillis(500));
    assertThat(read(store, KEY)).contains("1");
    pass(Duration.ofMillis(500));
    assertThat(read(store, KEY)).isEmpty();
    assertThat(answer(store.renew(lease.id()))).isFalse();
  }

  @Test
  void a_lease_whose_end_is_being_written_cannot_be_renewed_any_more() {
    pass(TTL.minusMillis(500));
    hold();
    time.advance(Duration.ofMillis(500));
    CompletableFuture<Void> tick = store.tick().toCompletableFuture();
    disk.arrived.acquireUninterruptibly();
    CompletableFuture<Boolean> renewed = store.renew(lease.id()).toCompletableFuture();
    assertThat(renewed).isNotDone();
    release();
    answer(tick);
    assertThat(answer(renewed)).isFalse();
    assertThat(read(store, KEY)).isEmpty();
  }

  @Test
  void a_lease_that_is_being_revoked_cannot_be_renewed_any_more() {
    hold();
    CompletableFuture<Void> revoked = store.revoke(lease.id()).toCompletableFuture();
    disk.arrived.acquireUninterruptibly();
    CompletableFuture<Boolean> renewed = store.renew(lease.id()).toCompletableFuture();
    assertThat(renewed).isNotDone();
    release();
    answer(revoked);
    assertThat(answer(renewed)).isFalse();
  }
}
