package io.belfry.server.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.belfry.library.Belfry;
import io.belfry.model.time.Time;
import io.belfry.server.verb.RunningServer;
import io.belfry.server.verb.RunningServer.Reply;
import io.belfry.testkit.engine.EtcdOptions;
import io.belfry.testkit.engine.EtcdServer;
import io.belfry.testkit.engine.RedisCertificates;
import io.belfry.testkit.engine.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A server whose engine accepts no writes says so, at once and everywhere: in its readiness, its answers, its figures and its log. */
class EngineOutageTest {
  private static final String TASKS = "/api/v1/namespaces/default/tasks";
  private static final String TASK = """
      {"executor": {"type": "http", "url": "http://127.0.0.1:9/", "method": "GET"}, "in": "1h"}""";
  private static final Duration NOTICED = Duration.ofSeconds(5);
  private static final Duration RECOVERED = Duration.ofSeconds(15);

  /** The default user stays on: Redis 7.0 replays its append-only file by that user's permissions. */
  private static final String ADMIN = "admin secret";

  private static final List<String> USERS = List.of(
      "user default on nopass ~* &* +@all",
      "user admin on >secret ~* &* +@all",
      "user belfry on >old ~* &* +@all");

  private final Time time = Time.system();
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final ch.qos.logback.classic.Logger logger =
      (ch.qos.logback.classic.Logger) LoggerFactory.getLogger(Belfry.class);

  @TempDir
  Path data;

  @BeforeEach
  void listen() {
    log.start();
    logger.setLevel(Level.INFO);
    logger.addAppender(log);
  }

  @AfterEach
  void fallSilent() {
    logger.detachAppender(log);
    logger.setLevel(null);
  }

  /**
   * What is done to the engine, and undone.
   *
   * @param reason what readiness names first
   * @param lasting what it names later, if that is something else
   */
  private record Fault(String reason, Optional<String> lasting, Runnable begin, Runnable end) {
    Fault(String reason, Runnable begin, Runnable end) {
      this(reason, Optional.empty(), begin, end);
    }
  }

  @Test
  void redis_without_memory() {
    onRedis(redis -> new Fault(
        "full",
        () -> ok(redis, "CONFIG", "SET", "maxmemory", "1mb"),
        () -> ok(redis, "CONFIG", "SET", "maxmemory", "0")));
  }

  /** Otherwise nobody would be left who deletes what is over: a full engine would stay full. */
  @Test
  void redis_without_memory_elects_another_leader() throws IOException {
    Path other = Files.createDirectories(data.resolve("other"));
    try (RedisServer redis = RedisServer.start(Optional.of(ADMIN), List.of(), USERS)) {
      RunningServer leading = server(redis);
      awaitFirst(leading);
      String admin = leading.admin();
      try (RunningServer follower = start(redis, other)) {
        awaitFirst(follower);
        long before = term(follower, admin);
        try (leading) {
          ok(redis, "CONFIG", "SET", "maxmemory", "1mb");
          await("noticed").atMost(NOTICED).until(() -> ready(follower).status() == 503);
          assertThat(term(follower, admin)).as("the leader stays").isEqualTo(before);
        }
        await("the follower leads").atMost(RECOVERED).until(() -> term(follower, admin) > before);
        assertThat(ready(follower).status()).as("puts are refused all the same").isEqualTo(503);
        ok(redis, "CONFIG", "SET", "maxmemory", "0");
        await("ready again").atMost(RECOVERED).until(() -> ready(follower).status() == 200);
        assertThat(follower.ask("POST", TASKS, TASK, admin).status()).isEqualTo(201);
      }
    }
  }

  /** The latest that a leader has won. */
  private static long term(RunningServer server, String admin) {
    return server
        .ask("GET", "/api/v1/namespaces/default/cluster", "", admin)
        .body()
        .path("term")
        .asLong();
  }

  private static RunningServer start(RedisServer redis, Path data) {
    return new RunningServer(
        data, "store.uri=" + redis.uri(), "store.user=belfry", "store.password=old");
  }

  @Test
  void redis_whose_certificate_expired() {
    RedisCertificates files = RedisCertificates.in(data);
    try (RedisServer redis = RedisServer.start(Optional.empty(), files.serverOptions(), List.of());
        RunningServer server = new RunningServer(
            data.resolve("server"),
            "store.uri=rediss://127.0.0.1:" + redis.port(),
            "store.tls.authority=" + files.file("authority.pem"),
            "store.tls.certificate=" + files.file("client.pem"),
            "store.tls.key=" + files.file("client.key"))) {
      outage(
          server,
          new Fault(
              "denied",
              () -> restart(redis, files::expireServer),
              () -> restart(redis, files::renewServer)));
      assertThat(metrics(server))
          .containsPattern("belfry_engine_reconnects_total\\{namespace=\"default\"} [1-9]");
    }
  }

  private static void restart(RedisServer redis, Runnable meanwhile) {
    redis.kill();
    meanwhile.run();
    redis.startAgain();
  }

  /** One replica must acknowledge and there is one: said while everything is well, because it is too late afterwards. */
  @Test
  void redis_without_a_spare_replica_is_warned_about() {
    try (RedisServer redis = RedisServer.start();
        RedisServer replica = RedisServer.start("--replicaof", "127.0.0.1", "" + redis.port())) {
      await().atMost(RECOVERED).until(() -> redis.replicasInStep() == 1);
      try (RunningServer server =
          new RunningServer(data, "store.uri=" + redis.uri(), "store.acknowledgements=1")) {
        awaitFirst(server);
        await()
            .atMost(NOTICED)
            .untilAsserted(() -> assertThat(engine(ready(server)))
                .contains("warning: commits stop while any server is down")
                .contains("1 replica is connected and 1 must acknowledge"));
        assertThat(ready(server).status()).isEqualTo(200);
      }
    }
  }

  @Test
  void redis_whose_snapshot_failed() {
    onRedis(redis -> new Fault(
        "full",
        () -> {
          block(redis.directory().resolve("dump.rdb"));
          ok(redis, "CONFIG", "SET", "save", "3600 1");
          redis.ask("BGSAVE");
          await()
              .atMost(NOTICED)
              .until(() -> redis.info("persistence", "rdb_last_bgsave_status").equals("err"));
        },
        () -> ok(redis, "CONFIG", "SET", "stop-writes-on-bgsave-error", "no")));
  }

  /** Redis refuses the writes of a script that has begun, so that nobody knows what of it was written. */
  @Test
  void redis_without_enough_replicas() {
    onRedis(redis -> new Fault(
        "unknown",
        () -> ok(redis, "CONFIG", "SET", "min-replicas-to-write", "1"),
        () -> ok(redis, "CONFIG", "SET", "min-replicas-to-write", "0")));
  }

  /**
   * What was in flight when it was killed, or has no answer for three seconds, is unknown. What could not be sent waits for a connection, and
   * is unavailable after five.
   */
  @Test
  void redis_that_is_killed() {
    onRedis(
        redis -> new Fault("unknown", Optional.of("unavailable"), redis::kill, redis::startAgain));
  }

  /** What was sent has no answer, so that nobody knows whether it was written. */
  @Test
  void redis_that_does_not_answer() {
    onRedis(redis -> new Fault("unknown", redis::pause, redis::resume));
  }

  /** Some commits succeed, others do not: that is no outage, and the server is not ready all the same. */
  @Test
  void redis_that_does_not_allow_xadd() {
    try (RedisServer redis = RedisServer.start(Optional.of(ADMIN), List.of(), USERS);
        RunningServer server = server(redis)) {
      awaitFirst(server);
      ok(redis, "ACL", "SETUSER", "belfry", "-xadd");
      await("not ready, and says why")
          .atMost(NOTICED)
          .untilAsserted(() -> assertThat(engine(ready(server))).contains("writes fail: "));
      ok(redis, "ACL", "SETUSER", "belfry", "+xadd");
      await("ready again").atMost(RECOVERED).until(() -> ready(server).status() == 200);
    }
  }

  @Test
  void redis_whose_password_was_changed() {
    onRedis(redis -> new Fault(
        "denied",
        () -> {
          ok(redis, "ACL", "SETUSER", "belfry", "resetpass", ">new");
          redis.ask("CLIENT", "KILL", "USER", "belfry");
        },
        () -> ok(redis, "ACL", "SETUSER", "belfry", "resetpass", ">old")));
  }

  @Test
  void etcd_without_space() {
    long quota = 16L << 20;
    try (EtcdServer etcd = EtcdServer.start(EtcdOptions.DEFAULT.quotaBytes(quota));
        RunningServer server = new RunningServer(data, "store.uri=" + etcd.uri())) {
      outage(server, new Fault("full", () -> fill(etcd, quota), () -> {
        etcd.gateway().post("/v3/kv/deleterange", "{\"key\":\"Zg==\",\"range_end\":\"Zw==\"}");
        etcd.gateway().compact();
        etcd.gateway().defragmentAndDisarm();
      }));
    }
  }

  private static void fill(EtcdServer etcd, long quota) {
    String value = "x".repeat(1 << 20);
    for (int i = 0; i < 2 * (quota >> 20); i++) {
      try {
        etcd.gateway().put("f" + i, value);
      } catch (IllegalStateException full) {
        return;
      }
    }
  }

  private static void block(Path file) {
    try {
      Files.deleteIfExists(file);
      Files.createDirectories(file.resolve("in-the-way"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void ok(RedisServer redis, String... command) {
    assertThat(redis.ask(command)).containsExactly("OK");
  }

  private void onRedis(Function<RedisServer, Fault> made) {
    try (RedisServer redis = RedisServer.start(Optional.of(ADMIN), List.of(), USERS);
        RunningServer server = server(redis)) {
      outage(server, made.apply(redis));
    }
  }

  private RunningServer server(RedisServer redis) {
    return start(redis, data);
  }

  private static void awaitFirst(RunningServer server) {
    await().atMost(RECOVERED).until(() -> server.ask("GET", "/readyz", "", "").status() == 200);
  }

  private void outage(RunningServer server, Fault fault) {
    awaitFirst(server);
    assertThat(submit(server).status()).isEqualTo(201);
    fault.begin.run();
    await("not ready, and says why")
        .atMost(NOTICED)
        .pollInterval(Duration.ofMillis(100))
        .untilAsserted(
            () -> assertThat(engine(ready(server))).contains("writes fail: " + fault.reason));
    await("changes are refused at once").atMost(NOTICED.plusSeconds(10)).until(() -> {
      long begun = time.nanos();
      Reply refused = submit(server);
      return refused.status() == 503
          && refused.header("retry-after").isPresent()
          && time.nanos() - begun < Duration.ofMillis(500).toNanos();
    });
    fault.lasting.ifPresent(reason -> await("says what lasts")
        .atMost(RECOVERED)
        .untilAsserted(() -> assertThat(engine(ready(server))).contains("writes fail: " + reason)));
    assertThat(ready(server).status()).isEqualTo(503);
    assertThat(ready(server).body().toString()).doesNotContain("127.0.0.1", "default", "belfry");
    assertThat(metrics(server)).contains("belfry_engine_up{namespace=\"default\"} 0");
    fault.end.run();
    await("ready again")
        .atMost(RECOVERED)
        .untilAsserted(
            () -> assertThat(ready(server).body().toString()).contains("\"ready\":true"));
    await("changes are accepted again")
        .atMost(NOTICED)
        .untilAsserted(() -> assertThat(submit(server).status()).isEqualTo(201));
    assertThat(metrics(server))
        .contains("belfry_engine_up{namespace=\"default\"} 1")
        .contains("belfry_engine_recoveries_total{namespace=\"default\"} ");
    assertThat(lines(Level.WARN)).anyMatch(line -> line.startsWith("Belfry cannot write to the "));
    assertThat(lines(Level.INFO)).anyMatch(line -> line.startsWith("Belfry can write to the "));
  }

  private List<String> lines(Level level) {
    return List.copyOf(log.list).stream()
        .filter(event -> event.getLevel() == level)
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  /** In every state within a second. */
  private Reply ready(RunningServer server) {
    long begun = time.nanos();
    Reply reply = server.ask("GET", "/readyz", "", "");
    assertThat(Duration.ofNanos(time.nanos() - begun)).isLessThan(Duration.ofSeconds(1));
    return reply;
  }

  private static String engine(Reply ready) {
    return ready
        .body()
        .path("checks")
        .valueStream()
        .filter(check -> check.path("name").asString().equals("engine"))
        .map(check -> check.path("detail").asString())
        .findFirst()
        .orElse("");
  }

  private static Reply submit(RunningServer server) {
    return server.post(TASKS, TASK);
  }

  private static String metrics(RunningServer server) {
    return server.get("/metrics").body().path("text").asString();
  }
}
