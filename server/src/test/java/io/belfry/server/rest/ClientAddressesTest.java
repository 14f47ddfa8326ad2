package io.belfry.server.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.model.InvalidException;
import io.belfry.server.verb.RunningServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nobody chooses the address that is held against them. */
class ClientAddressesTest {
  private static final ClientAddresses BEHIND = ClientAddresses.trusting(
      "server.trustedProxies", List.of("10.0.0.0/8", "192.0.2.7", "fd00::/8"));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "10.0.0.1|198.51.100.4|198.51.100.4",
        "10.0.0.1|1.1.1.1, 198.51.100.4|198.51.100.4",
        "10.0.0.1|1.1.1.1, 198.51.100.4, 192.0.2.7, 10.9.9.9|198.51.100.4",
        "10.0.0.1|10.0.0.2, 10.0.0.3|10.0.0.2",
        "10.0.0.1|198.51.100.4, unknown, 10.0.0.3|10.0.0.3",
        "10.0.0.1|evil.example.org|10.0.0.1",
        "10.0.0.1|198.51.100.4:8080|10.0.0.1",
        "10.0.0.1|0x7f000001|10.0.0.1",
        "10.0.0.1|''|10.0.0.1",
        "fd00::1|2001:db8::5|2001:db8:0:0:0:0:0:5",
        "[fd00::1]|2001:db8::5|2001:db8:0:0:0:0:0:5",
        "[fe80::1%eth0]|2001:db8::5|fe80::1",
        "198.51.100.9|1.1.1.1|198.51.100.9",
        "192.0.2.8|1.1.1.1|192.0.2.8"
      })
  void the_client_is_the_right_most_address_that_is_no_trusted_proxy(
      String peer, String header, String client) {
    assertThat(BEHIND.of(peer, List.of(header))).isEqualTo(client);
  }

  @Test
  void several_headers_are_one_list() {
    assertThat(BEHIND.of("10.0.0.1", List.of("1.1.1.1", "198.51.100.4, 10.0.0.2")))
        .isEqualTo("198.51.100.4");
  }

  @Test
  void a_header_without_end_is_not_read_to_its_end() {
    String many = "10.0.0.2,".repeat(2000);
    assertThat(BEHIND.of("10.0.0.1", List.of("198.51.100.4," + many))).isEqualTo("10.0.0.2");
  }

  @Test
  void without_trusted_proxies_the_header_says_nothing() {
    assertThat(ClientAddresses.DIRECT.of("127.0.0.1", List.of("1.1.1.1"))).isEqualTo("127.0.0.1");
  }

  @Test
  void all_addresses_of_an_IPv6_client_are_counted_together() {
    assertThat(ClientAddresses.bucket("2001:db8:1:2:3:4:5:6"))
        .isEqualTo(ClientAddresses.bucket("2001:db8:1:2:ffff::1"))
        .isNotEqualTo(ClientAddresses.bucket("2001:db8:1:3::1"));
    assertThat(ClientAddresses.bucket("::ffff:192.0.2.1"))
        .isNotEqualTo(ClientAddresses.bucket("::ffff:192.0.2.2"));
    assertThat(ClientAddresses.bucket("192.0.2.1")).isEqualTo("192.0.2.1");
  }

  @Test
  void a_proxy_that_connects_by_IPv6_is_known_as_one(@TempDir Path own) throws Exception {
    String[] settings = {"server.listen=[::1]:0", "server.trustedProxies=::1", "limit.loginRate=1"};
    try (var server = new RunningServer(own.resolve("data"), settings);
        var http = HttpClient.newHttpClient()) {
      var seen = new ArrayList<Integer>();
      for (String client : List.of("2001:db8::1", "2001:db8::2", "2001:db8:1::1")) {
        URI me = URI.create("http://[::1]:" + server.api().port() + "/api/v1/me");
        HttpRequest request = HttpRequest.newBuilder(me)
            .header("Authorization", "Bearer bft_wrong")
            .header("X-Forwarded-For", client)
            .build();
        seen.add(http.send(request, BodyHandlers.discarding()).statusCode());
      }
      assertThat(seen).as("one network, then another").containsExactly(401, 429, 401);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "proxy.example.org",
        "10.0.0.0/33",
        "10.0.0.0/",
        "10.0.0/8",
        "::/129",
        "10.0.0.0/-1",
        "1.2.3.4/8/8"
      })
  void what_is_no_range_is_refused(String text) {
    assertThatThrownBy(() -> ClientAddresses.trusting("server.trustedProxies", List.of(text)))
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("server.trustedProxies");
  }
}
