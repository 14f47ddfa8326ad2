package io.belfry.store.redis;

import static io.belfry.testkit.contract.Subject.INBOX;
import static io.belfry.testkit.contract.Subject.ORDERED;
import static io.belfry.testkit.contract.Subject.PLAIN;
import static io.belfry.testkit.contract.Subject.WATCHED;
import static io.belfry.testkit.contract.Subject.answer;
import static io.belfry.testkit.contract.Subject.bytes;
import static io.belfry.testkit.contract.Subject.done;
import static io.belfry.testkit.contract.Subject.key;
import static io.belfry.testkit.contract.Subject.put;
import static io.belfry.testkit.contract.Subject.read;
import static io.belfry.testkit.contract.Subject.scanAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.belfry.store.Commit;
import io.belfry.store.Feed;
import io.belfry.store.Lease;
import io.belfry.store.Scan;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import io.belfry.store.Watch;
import io.belfry.testkit.contract.WatchProbe;
import io.belfry.testkit.engine.RedisCertificates;
import io.belfry.testkit.engine.RedisServer;
import io.belfry.testkit.engine.TcpProxy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users with few rights, and TLS. */
class RedisAccessTest {
  /** As documented in docs/store-redis.md, from where a test reads it. */
  private static final String RIGHTS =
      "~{belfry:*}* resetchannels -@all +evalsha +script|load +info +wait"
          + " +client|id +config|get +acl|dryrun +time +del +exists +get +getdel +getrange +hdel +hexists +hget +hgetall"
          + " +hincrby +hmget +hset +pexpire +sadd +set +smembers +srem +xadd +xlen +xread +xtrim +zadd +zrange"
          + " +zrangebylex +zrangebyscore +zrem +zscore";

  private static RedisServer serverWith(String rights) {
    return RedisServer.start(
        Optional.of("admin admin"),
        List.of(),
        List.of(
            "user default off ~* &* +@all",
            "user admin on >admin ~* &* +@all",
            "user belfry on >secret " + rights));
  }

  /** Everything a store does, once. */
  private static void useAll(Store store) {
    WatchProbe ear = new WatchProbe();
    WatchProbe inbox = new WatchProbe();
    try (Watch watch = store.watch(Feed.of(WATCHED), Watch.NOW, ear);
        Watch other = store.watch(Feed.of(key(INBOX, "w")), Watch.NOW, inbox)) {
      ear.opened();
      inbox.opened();
      Lease lease = answer(store.grant(Duration.ofSeconds(30)));
      done(
          store,
          Commit.when()
              .put(key(WATCHED, "a"), bytes("1"), lease.id())
              .put(key(INBOX, "w"), bytes("2"))
              .put(key(PLAIN, "p"), bytes("3")));
      ear.changed();
      inbox.changed();
      assertThat(answer(store.renew(lease.id()))).isTrue();
      assertThat(scanAll(store, Scan.all(WATCHED))).hasSize(1);
      done(store, Commit.when().delete(key(PLAIN, "p")).delete(key(INBOX, "w")));
      answer(store.revoke(lease.id()));
      ear.changed();
      assertThat(read(store, key(WATCHED, "a"))).isEmpty();
      assertThat(answer(store.status()).version()).isNotBlank();
    }
  }

  @Nested
  class Users {
    @Test
    void a_user_with_the_documented_rights_can_do_everything() {
      try (RedisServer server = serverWith(RIGHTS);
          RedisStore store =
              RedisStore.connect(RedisSettings.at(server.uri()).login("belfry", "secret"))) {
        useAll(store);
      }
    }

    @Test
    void the_documented_line_is_the_one_that_is_tested() throws IOException {
      String manual = Files.readString(Path.of("..", "docs", "store-redis.md"));
      assertThat(manual.replaceAll("\\s+", " ")).contains(RIGHTS);
    }

    @Test
    void without_config_the_settings_are_read_from_info() {
      try (RedisServer server = serverWith(RIGHTS.replace(" +config|get", ""));
          RedisStore store =
              RedisStore.connect(RedisSettings.at(server.uri()).login("belfry", "secret"))) {
        useAll(store);
        assertThat(answer(store.status()).durability()).contains("sync policy not readable");
      }
    }

    /** Protects the question in {@code hello.lua}: otherwise a commit would stop half-way, at the missing right. */
    @Test
    void every_single_right_that_is_missing_is_found_at_connect() {
      var rights = new ArrayList<>(List.of(RIGHTS.split(" ", -1)));
      rights.removeAll(
          List.of("~{belfry:*}*", "resetchannels", "-@all", "+config|get", "+acl|dryrun"));
      try (RedisServer server = serverWith(RIGHTS)) {
        for (String right : rights) {
          server.ask("ACL", "SETUSER", "belfry", right.replace('+', '-'));
          assertThatThrownBy(() ->
                  RedisStore.connect(RedisSettings.at(server.uri()).login("belfry", "secret")))
              .as(right)
              .isInstanceOf(StoreException.Denied.class)
              .hasMessageContaining("rights");
          server.ask("ACL", "SETUSER", "belfry", right);
        }
        RedisStore.connect(RedisSettings.at(server.uri()).login("belfry", "secret"))
            .close();
      }
    }

    private static RedisServer serverWithDefault(String rights) {
      return RedisServer.start(
          Optional.of("admin admin"),
          List.of("--appendfsync", "always"),
          List.of("user default " + rights, "user admin on >admin ~* &* +@all"));
    }

    private static RedisSettings admin(RedisServer server) {
      return RedisSettings.at(server.uri()).login("admin", "admin");
    }

    /** Redis replays the writes of a script with the rights of the default user, and leaves out what they do not permit. */
    @Test
    void a_default_user_without_rights_is_refused_because_a_restart_would_lose_everything() {
      try (RedisServer server = serverWithDefault("off")) {
        assertThatThrownBy(() -> RedisStore.connect(admin(server)))
            .isInstanceOf(StoreException.Denied.class)
            .hasMessageContaining("user default off ~* &* +@all");
        RedisSettings lossy = admin(server).durability(RedisSettings.Durability.NONE);
        try (RedisStore store = RedisStore.connect(lossy)) {
          put(store, key(ORDERED, "a"), "1");
        }
        server.kill();
        server.startAgain();
        try (RedisStore store = RedisStore.connect(lossy)) {
          assertThat(read(store, key(ORDERED, "a"))).as("that is why").isEmpty();
        }
      }
    }

    @Test
    void a_default_user_that_is_off_but_has_its_rights_loses_nothing() {
      try (RedisServer server = serverWithDefault("off ~* &* +@all")) {
        try (RedisStore store = RedisStore.connect(admin(server))) {
          put(store, key(ORDERED, "a"), "1");
        }
        server.kill();
        server.startAgain();
        try (RedisStore store = RedisStore.connect(admin(server))) {
          assertThat(read(store, key(ORDERED, "a"))).contains("1");
        }
        assertThatThrownBy(() -> RedisStore.connect(RedisSettings.at(server.uri())))
            .as("nobody logs in by it")
            .isInstanceOf(StoreException.Denied.class);
      }
    }

    @Test
    void a_user_for_another_prefix_is_kept_out() {
      try (RedisServer server = serverWith(RIGHTS)) {
        assertThatThrownBy(() -> RedisStore.connect(
                RedisSettings.at(server.uri()).login("belfry", "secret").prefix("other")))
            .isInstanceOf(StoreException.Denied.class);
      }
    }

    @Test
    void a_wrong_password_is_denied_and_not_repeated_in_the_message() {
      try (RedisServer server = serverWith(RIGHTS)) {
        assertThatThrownBy(
                () -> RedisStore.connect(RedisSettings.at(server.uri()).login("belfry", "hunter2")))
            .isInstanceOf(StoreException.Denied.class)
            .hasMessageNotContaining("hunter2");
        assertThatThrownBy(() -> RedisStore.connect(RedisSettings.at(server.uri())))
            .isInstanceOf(StoreException.Denied.class);
      }
    }
  }

  @Nested
  class OverTls {
    @TempDir
    static Path directory;

    static Optional<RedisCertificates> made = Optional.empty();

    private static RedisCertificates certificates() {
      if (made.isEmpty()) {
        made = Optional.of(RedisCertificates.in(directory));
      }
      return made.get();
    }

    private RedisSettings settings(int port, RedisCertificates files) {
      return RedisSettings.at("rediss://127.0.0.1:" + port)
          .certificates(new RedisSettings.Certificates(
              files.file("authority.pem"),
              Optional.of(new RedisSettings.Certificates.Identity(
                  files.file("client.pem"), files.file("client.key")))));
    }

    @Test
    void both_sides_show_certificates() {
      RedisCertificates files = certificates();
      try (RedisServer server =
              RedisServer.start(Optional.empty(), files.serverOptions(), List.of());
          RedisStore store = RedisStore.connect(settings(server.port(), files))) {
        useAll(store);
        put(store, key(PLAIN, "a"), "1");
      }
    }

    @Test
    void who_shows_none_or_is_not_trusted_is_denied_in_time() {
      RedisCertificates files = certificates();
      try (RedisServer server =
          RedisServer.start(Optional.empty(), files.serverOptions(), List.of())) {
        RedisSettings untrusted = RedisSettings.at("rediss://127.0.0.1:" + server.port());
        assertThatThrownBy(() -> RedisStore.connect(untrusted))
            .isInstanceOf(StoreException.Denied.class)
            .hasMessageContaining("certificates");
        assertThatThrownBy(() -> RedisStore.connect(untrusted.certificates(
                new RedisSettings.Certificates(files.file("authority.pem"), Optional.empty()))))
            .isInstanceOf(StoreException.class);
        assertThatThrownBy(
                () -> RedisStore.connect(RedisSettings.at("redis://127.0.0.1:" + server.port())))
            .as("plain words to a TLS port")
            .isInstanceOf(StoreException.class);
      }
    }

    /** A balancer that takes the connection and drops it during a failover says nothing about certificates. */
    @Test
    void a_handshake_that_was_cut_is_unavailable_not_denied() {
      RedisCertificates files = certificates();
      try (RedisServer server =
              RedisServer.start(Optional.empty(), files.serverOptions(), List.of());
          TcpProxy wire = TcpProxy.to(server.port());
          RedisStore store = RedisStore.connect(settings(wire.port(), files)
              .timeouts(new RedisSettings.Timeouts(
                  Duration.ofMillis(400), Duration.ofMillis(400), Duration.ofSeconds(1))))) {
        put(store, key(PLAIN, "a"), "1");
        wire.cut();
        for (int i = 0; i < 3; i++) {
          assertThatThrownBy(() -> read(store, key(PLAIN, "a")))
              .isInstanceOf(StoreException.Unavailable.class);
        }
        wire.mend();
        await()
            .atMost(Duration.ofSeconds(30))
            .ignoreExceptionsInstanceOf(StoreException.class)
            .until(() -> read(store, key(PLAIN, "a")).isPresent());
      }
    }

    /** An operator renews it late: an outage with that reason, which ends by itself. */
    @Test
    void a_certificate_that_expired_for_a_while(@TempDir Path own) {
      RedisCertificates files = RedisCertificates.in(own);
      try (RedisServer server =
              RedisServer.start(Optional.empty(), files.serverOptions(), List.of());
          LogLines log = new LogLines();
          RedisStore store = RedisStore.connect(settings(server.port(), files)
              .timeouts(new RedisSettings.Timeouts(
                  Duration.ofMillis(500), Duration.ofMillis(500), Duration.ofSeconds(2))))) {
        WatchProbe ear = new WatchProbe();
        try (Watch watch = store.watch(Feed.of(WATCHED), Watch.NOW, ear)) {
          ear.opened();
          put(store, key(WATCHED, "a"), "1");
          ear.changed();
          restart(server, files::expireServer);
          for (int i = 0; i < 3; i++) {
            await("calls fail with the reason")
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThatThrownBy(() -> put(store, key(PLAIN, "a"), "2"))
                    .isInstanceOf(StoreException.Denied.class)
                    .hasMessageContaining("do not agree on TLS")
                    .hasMessageContaining("NotAfter"));
          }
          assertThatThrownBy(() -> RedisStore.connect(settings(server.port(), files)))
              .as("the first connect is refused at once")
              .isInstanceOf(StoreException.Denied.class);
          restart(server, files::renewServer);
          await("commits succeed again")
              .atMost(Duration.ofSeconds(30))
              .ignoreExceptionsInstanceOf(StoreException.class)
              .until(() -> put(store, key(WATCHED, "a"), "3") > 0);
          ear.awaitCompacted();
        }
        assertThat(log.at(Level.WARN))
            .filteredOn(line -> line.contains("was refused"))
            .hasSize(1)
            .allMatch(line -> line.contains("do not agree on TLS"));
        assertThat(log.at(Level.INFO)).anyMatch(line -> line.contains("was restored"));
      }
    }

    private void restart(RedisServer server, Runnable meanwhile) {
      server.kill();
      meanwhile.run();
      server.startAgain();
    }

    @Test
    void files_that_are_no_certificates_are_refused_by_name() throws IOException {
      Path nonsense = Files.writeString(directory.resolve("nonsense.pem"), "nonsense");
      assertThatThrownBy(() -> RedisStore.connect(RedisSettings.at("rediss://127.0.0.1:1")
              .certificates(new RedisSettings.Certificates(nonsense, Optional.empty()))))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("nonsense.pem");
    }
  }
}
