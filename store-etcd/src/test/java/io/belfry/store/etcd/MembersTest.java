package io.belfry.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.store.Endpoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where members say that they listen. */
class MembersTest {
  @ParameterizedTest
  @CsvSource({
    "https://10.0.0.2:2379, 10.0.0.2, 2379",
    "http://etcd_1:2379, etcd_1, 2379",
    "http://etcd-1.etcd.default.svc:2380/, etcd-1.etcd.default.svc, 2380",
    "http://[fd00::2]:2379, fd00::2, 2379",
    "http://0.0.0.0:1, 0.0.0.0, 1",
  })
  void is_read_from_their_urls(String url, String host, int port) {
    assertThat(Members.endpoint(url)).contains(new Endpoint(host, port));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"unix://localhost:7", "", "http://", "http://a", "http://a:0", "http://a:65536"})
  void is_nothing_if_they_listen_at_no_address_of_the_network(String url) {
    assertThat(Members.endpoint(url)).isEmpty();
  }

  @Test
  void is_read_soon_however_long_the_url() {
    assertThat(Members.endpoint("http://" + ":".repeat(100_000))).isEmpty();
  }
}
