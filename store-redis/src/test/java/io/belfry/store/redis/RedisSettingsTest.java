package io.belfry.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.HostAndPort;

class RedisSettingsTest {

  @Nested
  class Uris {
    @Test
    void each_kind_is_understood() {
      RedisAddress one = RedisAddress.parse("redis://localhost:6379");
      assertThat(one.kind()).isEqualTo(RedisAddress.Kind.STANDALONE);
      assertThat(one.tls()).isFalse();
      assertThat(one.seeds()).containsExactly(new HostAndPort("localhost", 6379));

      assertThat(RedisAddress.parse("rediss://[::1]:6380").seeds())
          .containsExactly(new HostAndPort("::1", 6380));
      assertThat(RedisAddress.parse("rediss://h:1").tls()).isTrue();

      RedisAddress sentinel = RedisAddress.parse("redis+sentinel://a:1,b:2,c:3/my-primary");
      assertThat(sentinel.kind()).isEqualTo(RedisAddress.Kind.SENTINEL);
      assertThat(sentinel.primary()).isEqualTo("my-primary");
      assertThat(sentinel.seeds()).hasSize(3);

      RedisAddress cluster = RedisAddress.parse("rediss+cluster://a:1,b:2");
      assertThat(cluster.kind()).isEqualTo(RedisAddress.Kind.CLUSTER);
      assertThat(cluster.tls()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = {
          "http://h:1|must begin with redis://",
          "redis:h:1|must begin with redis://",
          "''|must begin with redis://",
          "redis://|must list addresses as host:port",
          "redis://h|must list addresses as host:port, but 'h' is none",
          "redis://h:0|must list addresses as host:port",
          "redis://h:65536|1 to 65535",
          "redis://h:99999999|must list addresses as host:port",
          "redis://h:1,|but '' is none",
          "redis://a:1,b:2|must name one server",
          "redis://h:1/2|must not have a path",
          "redis://h:1?db=2|without '?' or '#'",
          "redis+sentinel://h:1|must end with the name of the primary",
          "redis+sentinel://h:1/a b|must end with the name of the primary",
          "redis+cluster://h:1/x|must not have a path",
        })
    void a_bad_one_is_refused_with_what_is_wrong(String uri, String complaint) {
      assertThatThrownBy(() -> RedisSettings.at(uri))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(complaint)
          .hasMessageContaining("'" + uri + "'");
    }

    @Test
    void a_password_in_it_is_refused_and_not_repeated() {
      assertThatThrownBy(() -> RedisSettings.at("redis://me:hunter2@h:1"))
          .hasMessageContaining("Give them as the settings user and password")
          .hasMessageNotContaining("hunter2");
    }
  }

  @Nested
  class Relations {
    private final RedisSettings good = RedisSettings.at("redis://h:1");

    @Test
    void passwords_are_never_printed() {
      assertThat(good.login("me", "hunter2").toString()).contains("me").doesNotContain("hunter2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a{b", "a}b", "a:b", "a b", "ä"})
    void names_that_would_break_the_hash_tag_are_refused(String name) {
      assertThatThrownBy(() -> good.namespace(name)).hasMessageContaining("namespace must match");
      assertThatThrownBy(() -> good.prefix(name)).hasMessageContaining("prefix must match");
    }

    @Test
    void the_answer_must_have_time_for_its_parts() {
      assertThatThrownBy(() -> new RedisSettings.Timeouts(
              Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofMillis(1500)))
          .hasMessageContaining("timeouts.answer must leave room")
          .hasMessageContaining("Set it to PT2S or more");
      assertThatThrownBy(() -> new RedisSettings.Timeouts(
              Duration.ZERO, Duration.ofSeconds(1), Duration.ofSeconds(5)))
          .hasMessageContaining("at least 1 ms");
    }

    @Test
    void a_cluster_has_one_database_and_certificates_need_tls() {
      assertThatThrownBy(() -> RedisSettings.at("redis+cluster://h:1").database(1))
          .hasMessageContaining("must be 0 in a cluster");
      assertThatThrownBy(() -> good.database(-1)).hasMessageContaining("never negative");
      assertThatThrownBy(() -> good.certificates(
              new RedisSettings.Certificates(Path.of("ca.pem"), Optional.empty())))
          .hasMessageContaining("only of use over TLS");
      assertThatThrownBy(() -> good.acknowledgements(-1)).hasMessageContaining("must be 0 to 100");
      assertThatThrownBy(() -> new RedisSettings.FeedLimits(0, 0, Duration.ofHours(1)))
          .hasMessageContaining("at least 8 bytes");
    }
  }
}
