package io.belfry.tests.command;

import io.belfry.cli.Main;
import io.belfry.cli.show.Screen;
import io.belfry.cli.verb.VerbContext;
import io.belfry.core.execute.AttemptContext;
import io.belfry.core.record.NodeRecord.Role;
import io.belfry.library.Belfry;
import io.belfry.library.Engine;
import io.belfry.library.Settings;
import io.belfry.model.time.Time;
import io.belfry.server.config.Config;
import io.belfry.server.verb.Program;
import io.belfry.testkit.PrivateFile;
import io.belfry.testkit.engine.RedisServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A Redis, a server with a worker, a second worker, and somebody who types commands. Threading: safe. */
final class Installation implements AutoCloseable {
  /** A machine that is busy with other tests must not look like a dead worker. */
  private static final Duration LEASE = Duration.ofSeconds(30);

  /** What came of a command. */
  record Ran(int exit, String out, String err) {
    String all() {
      return out + err;
    }
  }

  private final Path folder;
  private final RedisServer redis;
  private final Program server;
  private final Belfry other;
  private final Map<String, String> environment;
  /** Each command has chances of its own: a repeated idempotency key would submit nothing. */
  private final AtomicLong runs = new AtomicLong();

  private final CountDownLatch never = new CountDownLatch(1);

  Installation(Path data) throws IOException {
    this.folder = data;
    Path key = PrivateFile.write(
        data.resolve("cluster.key"), Base64.getEncoder().encodeToString(new byte[32]));
    this.redis = RedisServer.start("--appendfsync", "always");
    this.server = Program.start(
        Config.defaults()
            .set("data", data.resolve("belfry-data").toString(), "the test")
            .set("server.listen=127.0.0.1:0")
            .set("store.uri=" + redis.uri())
            .set("secret.keyFile=" + key)
            .set("node.name=node-a")
            .set("node.address=10.0.0.1")
            .set("leader.lease=" + LEASE.toSeconds() + "s")
            .set("worker.lease=" + LEASE.toSeconds() + "s")
            .set("worker.id=worker-1")
            .set("worker.capacity=16")
            .set("worker.labels=region=eu"),
        Installation::register);
    // Serves a queue of its own, so that it is known which worker runs what.
    this.other = Belfry.open(Settings.defaults()
        .store(Engine.at(redis.uri()))
        .roles(Set.of(Role.WORKER))
        .node("node-b")
        .address("10.0.0.2")
        .workerLease(LEASE)
        .workerId("worker-2")
        .workerLabels(Map.of("region", "us"))
        .workerQueues(Set.of("mail"))
        .workerCapacity(16));
    this.environment = Map.of(
        "BELFRY_URL",
        server.address(),
        "BELFRY_TOKEN",
        Files.readString(data.resolve("belfry-data/admin.token")).strip());
  }

  private static void register(Belfry belfry) {
    belfry.handle("report", attempt -> {});
    belfry.handleWithResult("send-invoice", Map.class, (order, attempt) -> sent(attempt));
    belfry.handle("reconcile", attempt -> {
      throw new IllegalStateException("the ledger did not answer within 60 s");
    });
  }

  private static Map<String, Integer> sent(AttemptContext attempt) {
    attempt.log("reading the order");
    attempt.log("sending mail to 张伟");
    attempt.log("sent");
    return Map.of("mails", 1);
  }

  Ran run(String... arguments) {
    var out = new StringWriter();
    var err = new StringWriter();
    var context = new VerbContext(
        Time.system(),
        ZoneOffset.UTC,
        environment,
        folder,
        InputStream.nullInputStream(),
        Screen.none(),
        new SplittableRandom(runs.incrementAndGet()),
        time -> {
          boolean unused = never.await(time.toNanos(), TimeUnit.NANOSECONDS);
        });
    int exit = Main.commandLine(
            context, List.of(), new PrintWriter(out, true), new PrintWriter(err, true), arguments)
        .execute(arguments);
    return new Ran(exit, out.toString(), err.toString());
  }

  @Override
  public void close() {
    other.close();
    server.close();
    redis.close();
  }
}
