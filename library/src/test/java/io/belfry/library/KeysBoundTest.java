package io.belfry.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.model.InvalidException;
import io.belfry.model.task.TaskId;
import io.belfry.store.StoreException;
import io.belfry.testkit.engine.EtcdServer;
import io.belfry.testkit.engine.RedisServer;
import java.nio.file.Path;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The limit of idempotency keys on every engine: calls that need another key are refused, and all others succeed. */
class KeysBoundTest {
  private static final int KEYS_MAX = 30;
  private static final int OVERSHOOT = 100;

  @TempDir
  Path directory;

  private static Settings bounded(Settings settings) {
    return settings.node("n1").idempotencyKeysMax(KEYS_MAX);
  }

  /** Through a node that may not be the leader. */
  private static void check(Belfry leader, Belfry other) {
    leader.handle("noop", attempt -> {});
    TaskId first = other.submit(keyed(0));
    int accepted = 1;
    while (accepted <= KEYS_MAX + OVERSHOOT && isAccepted(other, accepted)) {
      accepted++;
    }
    assertThat(accepted).isBetween(KEYS_MAX, KEYS_MAX + OVERSHOOT);
    assertThatThrownBy(() -> other.submit(keyed(1000)))
        .isInstanceOf(StoreException.Overloaded.class)
        .hasMessageContaining("At most " + KEYS_MAX + " idempotency keys")
        .hasMessageContaining("task.idempotencyKeysMax");
    assertThat(other.submit(keyed(0))).as("a repetition").isEqualTo(first);
    TaskId without = other.submit(Submission.local("noop"));
    Awaitility.await()
        .atMost(RecordedEvents.LONG)
        .until(() -> other.task(without).filter(task -> task.isFinal()).isPresent());
    assertThat(other.nodeMetrics().keysRefused()).isPositive();
    assertThat(leader.nodeMetrics().history().idempotencyKeys())
        .isBetween((long) KEYS_MAX, (long) KEYS_MAX + OVERSHOOT);
  }

  private static Submission keyed(int number) {
    return Submission.local("noop").key("k" + number);
  }

  private static boolean isAccepted(Belfry belfry, int number) {
    try {
      TaskId unused = belfry.submit(keyed(number));
      return true;
    } catch (StoreException.Overloaded e) {
      return false;
    }
  }

  private static void checkTwoNodes(Settings settings) {
    try (Belfry leader = Belfry.open(bounded(settings))) {
      Awaitility.await()
          .atMost(RecordedEvents.LONG)
          .until(() -> leader.nodeMetrics().live().isPresent());
      try (Belfry other = Belfry.open(bounded(settings).node("n2"))) {
        check(leader, other);
      }
    }
  }

  @Test
  void on_the_embedded_store() {
    try (Belfry belfry = Belfry.open(bounded(Settings.defaults().store("embedded:" + directory)))) {
      check(belfry, belfry);
    }
  }

  @Test
  void on_redis() {
    try (RedisServer server = RedisServer.start()) {
      checkTwoNodes(Settings.defaults().store(server.uri()));
    }
  }

  @Test
  void on_etcd() {
    try (EtcdServer server = EtcdServer.start()) {
      checkTwoNodes(Settings.defaults().store(server.uri()));
    }
  }

  @Test
  void a_bound_of_nothing_is_refused() {
    assertThatThrownBy(() -> Settings.defaults().idempotencyKeysMax(0).checked())
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("idempotencyKeysMax");
  }
}
