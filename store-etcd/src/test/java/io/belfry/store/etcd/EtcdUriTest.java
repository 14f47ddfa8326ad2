package io.belfry.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.store.Endpoint;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EtcdUriTest {

  @Test
  void several_members_with_and_without_ports() {
    EtcdUri uri = EtcdUri.parse("etcd://10.0.0.1:2379,etcd-b,[::1]:23790");
    assertThat(uri.tls()).isFalse();
    assertThat(uri.endpoints())
        .containsExactly(
            new Endpoint("10.0.0.1", 2379),
            new Endpoint("etcd-b", 2379),
            new Endpoint("[::1]", 23790));
  }

  @Test
  void the_s_stands_for_tls() {
    assertThat(EtcdUri.parse("etcds://a:1/").tls()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "redis://h:1          | must begin with etcd:// or etcds://",
        "etcd:h:1             | must begin with etcd:// or etcds://",
        "http://h:2379        | must begin with etcd:// or etcds://",
        "etcd://              | must name at least one member",
        "etcd:///             | must name at least one member",
        "etcd://a:1,,b:2      | must not have an empty member",
        "etcd://a:1,          | must not have an empty member",
        "etcd://a:1,a:1       | must name each member once",
        "etcd://a:0           | must have ports from 1 to 65535",
        "etcd://a:65536       | must have ports from 1 to 65535",
        "etcd://a:x           | must have ports from 1 to 65535",
        "etcd://a:            | must have ports from 1 to 65535",
        "etcd://::1           | must give a host for each member",
        "etcd://[::1:2379     | must give a host for each member",
        "etcd://:2379         | must give a host for each member",
        "etcd://a:1/path      | without path, query or blanks",
        "etcd://a:1?x=y       | may have the options dedicated",
        "'etcd://a:1, b:2'    | without path, query or blanks",
      })
  void what_is_malformed_is_refused_with_the_rule_and_the_remedy(String uri, String rule) {
    assertThatThrownBy(() -> EtcdUri.parse(uri))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(rule)
        .hasMessageContaining(uri)
        .hasMessageContaining("Write etcd://host:port");
  }

  @Test
  void a_password_in_a_uri_is_refused_and_not_repeated() {
    assertThatThrownBy(() -> EtcdUri.parse("etcd://joe:s3cret@h:2379"))
        .hasMessageContaining("etcd.user")
        .message()
        .doesNotContain("s3cret");
  }

  @Test
  void whose_etcd_it_is_stands_behind_a_question_mark() {
    EtcdSettings settings = EtcdSettings.of(
        "etcd://a:1,b:2?dedicated=yes&quota-bytes=8589934592&keep-seconds=120", "ns");
    assertThat(settings.endpoints()).hasSize(2);
    assertThat(settings.room())
        .isEqualTo(new EtcdSettings.Room(true, Duration.ofMinutes(2), 8L << 30));
    assertThat(EtcdSettings.of("etcd://a:1", "ns").room()).isEqualTo(EtcdSettings.Room.SHARED);
    for (String bad : List.of("dedicated", "dedicated=maybe", "quota-bytes=much", "other=1", "")) {
      assertThatThrownBy(() -> EtcdSettings.of("etcd://a:1?" + bad, "ns"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("etcd://a:1");
    }
  }
}
