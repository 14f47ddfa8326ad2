package io.belfry.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belfry.model.time.Time;
import io.belfry.testkit.engine.EtcdServer;
import io.belfry.testkit.engine.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Three servers go on when one of them dies or is stopped, and whoever asks hardly notices. */
@Tag("alone")
class ClusterTest {
  private static final Time TIME = Time.system();
  /** The promise is the lease of three seconds and a little; a machine that does other things meanwhile needs more. */
  private static final Duration NEW_LEADER = Duration.ofSeconds(20);

  private static final Duration STOP = Duration.ofSeconds(30);

  private final List<String> acknowledged = new ArrayList<>();
  private int asked;

  @Test
  void on_etcd_nothing_acknowledged_is_lost_or_done_twice() {
    try (EtcdServer etcd = EtcdServer.start();
        var trio = new Trio(etcd.uri());
        var service = new CalledService()) {
      goesOn("etcd", trio, service);
    }
  }

  @Test
  void on_redis_nothing_acknowledged_is_lost_or_done_twice() {
    try (RedisServer redis = RedisServer.start();
        var trio = new Trio(redis.uri());
        var service = new CalledService()) {
      goesOn("redis", trio, service);
    }
  }

  private void goesOn(String engine, Trio trio, CalledService service) {
    ServerNode first = trio.awaitLeader();
    submit(trio, service, 30);
    long killed = TIME.nanos();
    first.process().kill();
    assertThat(Typed.run(
            "task",
            "list",
            "--url",
            String.join(",", urlOfDead(first), urls(trio)),
            "--token-file",
            trio.tokenFile().toString(),
            "--output",
            "json"))
        .as("the command line goes on to another server")
        .contains(acknowledged.getFirst());
    submit(trio, service, 30);
    Duration gap = untilAnotherLeads(trio, first, killed);
    submit(trio, service, 30);

    ServerNode second = trio.awaitLeader();
    long told = TIME.nanos();
    var stopping = Thread.ofVirtual().start(second.process()::stop);
    Duration handOver = untilAnotherLeads(trio, second, told);
    await("it stops").atMost(STOP).until(() -> !stopping.isAlive());
    Duration stopped = Duration.ofNanos(TIME.nanos() - told);
    submit(trio, service, 30);

    allEndedOnce(trio, service);
    System.out.printf(
        "cluster on %s: %d of %d submits acknowledged, all ended once; leader killed: another after %d ms; leader stopped: another after"
            + " %d ms, gone after %d ms%n",
        engine,
        acknowledged.size(),
        asked,
        gap.toMillis(),
        handOver.toMillis(),
        stopped.toMillis());
    assertThat(gap).isLessThan(NEW_LEADER);
    assertThat(handOver).isLessThan(NEW_LEADER);
  }

  private static String urlOfDead(ServerNode node) {
    return node.url();
  }

  private static String urls(Trio trio) {
    return String.join(",", trio.running().stream().map(ServerNode::url).toList());
  }

  /** Through each server that runs, in turn; what got no answer is asked again under its key, at the next. */
  private void submit(Trio trio, CalledService service, int count) {
    for (int i = 0; i < count; i++) {
      asked++;
      String body = "{\"executor\": {\"type\": \"http\", \"url\": \"" + service.url()
          + "\"}, \"retry\": {\"max\": 5, \"delay\": \"1s\"}}";
      String key = "key-" + asked;
      List<ServerNode> running = trio.running();
      Optional<String> id = Optional.empty();
      for (int attempt = 0; attempt < 10 && id.isEmpty(); attempt++) {
        ServerNode at = running.get((asked + attempt) % running.size());
        Rest.Reply reply =
            trio.rest().post(at.url() + Rest.NS + "/tasks", body, "Idempotency-Key", key);
        id = reply.isFine() ? Optional.of(reply.body().path("id").asString()) : Optional.empty();
      }
      assertThat(id)
          .as("submit " + asked + " is acknowledged by a server that runs")
          .isPresent();
      acknowledged.add(id.orElseThrow());
    }
  }

  private static Duration untilAnotherLeads(Trio trio, ServerNode gone, long since) {
    ServerNode asked = trio.all().stream()
        .filter(node -> node != gone && node.process().isRunning())
        .findFirst()
        .orElseThrow();
    await("another leads")
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(20))
        .until(() -> trio.leader(asked).filter(node -> node != gone).isPresent());
    return Duration.ofNanos(TIME.nanos() - since);
  }

  private void allEndedOnce(Trio trio, CalledService service) {
    ServerNode left = trio.running().getFirst();
    assertThat(acknowledged).doesNotHaveDuplicates();
    for (String id : acknowledged) {
      await("task " + id + " ends")
          .atMost(Duration.ofSeconds(90))
          .until(() ->
              trio.rest().get(left.url() + Rest.NS + "/tasks/" + id).body().has("ended"));
      var task = trio.rest().get(left.url() + Rest.NS + "/tasks/" + id).body();
      assertThat(task.path("state").asString()).as(task.toString()).isEqualTo("succeeded");
      int attempts = task.path("attempts").asInt();
      assertThat(service.callsOf(id))
          .as("calls of %s in %d attempts", id, attempts)
          .isBetween(1, attempts);
    }
  }
}
