package io.belfry.server.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.core.execute.AttemptException;
import io.belfry.executors.egress.Deadline;
import io.belfry.executors.egress.Egress;
import io.belfry.executors.egress.HostLookup;
import io.belfry.executors.egress.Target;
import io.belfry.model.time.Time;
import io.belfry.server.config.Config;
import io.belfry.store.Endpoint;
import io.belfry.testkit.ManualTime;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamespaceEgressTest {
  private static final Map<String, List<String>> HOSTS = Map.of(
      "engine.test", List.of("192.0.2.9", "192.0.2.10", "2001:db8::9"),
      "alias.test", List.of("192.0.2.10"),
      "other.test", List.of("192.0.2.77"),
      "bank.test", List.of("192.0.2.80"));

  private static final Deadline SOON = Deadline.after(Time.system(), Duration.ofMinutes(5));

  private final ManualTime time = new ManualTime(Instant.EPOCH);
  private volatile Set<Endpoint> found = Set.of();
  private final AtomicInteger asked = new AtomicInteger();

  private static List<InetAddress> find(String host, Deadline until) throws UnknownHostException {
    if (!HOSTS.containsKey(host)) {
      throw new UnknownHostException(host);
    }
    var all = new ArrayList<InetAddress>();
    for (String address : HOSTS.get(host)) {
      all.add(InetAddress.getByName(address));
    }
    return all;
  }

  private NamespaceEgress egress(String... pairs) {
    Config config = Config.defaults();
    for (String pair : pairs) {
      config = config.set(pair);
    }
    return new NamespaceEgress(config, time, () -> 8080, () -> {
      asked.incrementAndGet();
      return found;
    });
  }

  private static boolean mayCall(NamespaceEgress egress, String namespace, String url)
      throws Exception {
    HostLookup names = NamespaceEgressTest::find;
    try {
      var unused = new Egress(() -> egress.rules(namespace), names)
          .check("url", Target.parse("url", url), SOON);
      return true;
    } catch (AttemptException refused) {
      return false;
    }
  }

  private static boolean mayCall(NamespaceEgress egress, String url) throws Exception {
    return mayCall(egress, "default", url);
  }

  @Nested
  class Engines {
    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = {
          "store.uri=etcd://192.0.2.9|http://192.0.2.9:2379/",
          "store.uri=etcd://192.0.2.9/|http://192.0.2.9:2379/",
          "store.uri=etcd://[2001:db8::9]|http://[2001:db8::9]:2379/",
          "store.uri=etcd://[::ffff:192.0.2.9]|http://192.0.2.9:2379/",
          "store.uri=etcd://[64:ff9b::192.0.2.9]|http://192.0.2.9:2379/",
          "store.uri=etcd://192.0.2.1,192.0.2.9:7000|http://192.0.2.1:2379/",
          "store.uri=etcd://192.0.2.1,192.0.2.9:7000|http://192.0.2.9:7000/",
          "store.uri=etcds://ENGINE.test|http://engine.test:2379/",
          "store.uri=etcd://engine.test|http://192.0.2.9:2379/",
          "store.uri=etcd://engine.test|http://192.0.2.10:2379/",
          "store.uri=etcd://engine.test|http://alias.test:2379/",
          "store.uri=etcd://engine.test|http://[2001:db8::9]:2379/",
          "store.uri=etcd://engine.test|http://[::ffff:192.0.2.10]:2379/",
          "store.uri=etcd://engine.test|http://[2002:c000:20a::1]:2379/",
          "store.uri=etcd://127.0.0.1|http://[::1]:2379/",
          "store.uri=etcd://127.1|http://127.0.0.1:2379/",
          "store.uri=redis://192.0.2.9:6379|http://192.0.2.9:6379/",
          "store.uri=redis+cluster://192.0.2.9:7001,engine.test:7002|http://alias.test:7002/",
          "store.uri=redis+sentinel://192.0.2.9:26379,192.0.2.8:26380/main|http://192.0.2.8:26380/",
          "election.uri=etcd://192.0.2.9|http://192.0.2.9:2379/",
        })
    void are_not_called_however_they_are_written(String setting, String url) throws Exception {
      assertThat(mayCall(egress(), url)).as("without it").isTrue();
      NamespaceEgress egress = egress(setting);
      assertThat(mayCall(egress, url)).isFalse();
      assertThat(mayCall(egress, url.replaceAll(":\\d+/$", ":8443/")))
          .as("another port of the same host")
          .isTrue();
    }

    /** Redis URIs have no default port: one without a port is refused at the start. */
    @Test
    void of_redis_must_have_a_port() {
      assertThatThrownBy(() -> egress("store.uri=redis://192.0.2.9"))
          .hasMessageContaining("host:port");
    }

    @Test
    void that_were_found_are_not_called_a_second_later() throws Exception {
      NamespaceEgress egress = egress("store.uri=redis+sentinel://192.0.2.1:26379/main");
      String url = "http://192.0.2.9:6379/";
      assertThat(mayCall(egress, url)).isTrue();
      found = Set.of(new Endpoint("192.0.2.9", 6379));
      time.advance(Duration.ofSeconds(1));
      assertThat(mayCall(egress, url)).isFalse();
      assertThat(mayCall(egress, "http://192.0.2.9:6380/")).isTrue();
      found = Set.of();
      time.advance(Duration.ofSeconds(1));
      assertThat(mayCall(egress, url)).isTrue();
    }

    @Test
    void that_have_no_address_yet_do_no_harm() throws Exception {
      found = Set.of(new Endpoint("", 0), new Endpoint("", 6379), new Endpoint("x", 70_000));
      time.advance(Duration.ofSeconds(1));
      assertThat(mayCall(egress(), "http://192.0.2.9:6379/")).isTrue();
    }
  }

  @Nested
  class Nodes {
    @Test
    void are_not_called_on_any_of_their_addresses() throws Exception {
      found = Set.of(
          new Endpoint("192.0.2.77", 9090),
          new Endpoint("fd00::77", 9090),
          new Endpoint("*", 9091));
      NamespaceEgress egress = egress();
      time.advance(Duration.ofSeconds(1));
      assertThat(mayCall(egress, "http://192.0.2.77:9090/")).isFalse();
      assertThat(mayCall(egress, "http://other.test:9090/")).isFalse();
      assertThat(mayCall(egress, "http://[fd00::77]:9090/")).isFalse();
      assertThat(mayCall(egress, "http://[::ffff:192.0.2.77]:9090/")).isFalse();
      assertThat(
              mayCall(egress, "http://localhost.test:9091/".replace("localhost.test", "127.0.0.2")))
          .isFalse();
      assertThat(mayCall(egress, "http://127.0.0.1:8080/"))
          .as("this node's own")
          .isFalse();
      assertThat(mayCall(egress, "http://127.0.0.1:9090/"))
          .as("loopback is ours")
          .isTrue();
      assertThat(mayCall(egress, "http://192.0.2.77:9091/")).as("another port").isTrue();
      assertThat(mayCall(egress, "http://192.0.2.78:9090/")).as("another host").isTrue();
    }

    @Test
    void are_asked_for_once_a_second_however_many_calls_there_are() throws Exception {
      NamespaceEgress egress = egress();
      time.advance(Duration.ofSeconds(1));
      var rules = egress.rules("default");
      int before = asked.get();
      for (int i = 0; i < 1000; i++) {
        assertThat(egress.rules("default")).isSameAs(rules);
      }
      assertThat(asked).hasValue(before);
      time.advance(Duration.ofSeconds(1));
      assertThat(egress.rules("default")).as("nothing has changed").isSameAs(rules);
      assertThat(asked).hasValue(before + 1);
    }
  }

  @Nested
  class Namespaces {
    private final NamespaceEgress egress = egress(
        "executors.http.deny=192.0.2.0/28",
        "executors.http.allow=*.test:80,192.0.2.0/24",
        "executors.http.namespaceAllow=billing=198.51.100.0/24:443 203.0.113.5,reports=192.0.2.3",
        "executors.http.namespaceDeny=billing=bank.test 192.0.2.64/26,reports=*");

    @ParameterizedTest
    @CsvSource({
      "default, http://192.0.2.77/, true",
      "default, http://198.51.100.1:443/, false",
      "default, http://203.0.113.5/, false",
      "default, http://bank.test/, true",
      "billing, http://198.51.100.1:443/, true",
      "billing, http://198.51.100.1:80/, false",
      "billing, http://203.0.113.5/, true",
      "billing, http://192.0.2.30/, true",
      "billing, http://192.0.2.77/, false",
      "billing, http://bank.test/, false",
      "billing, http://192.0.2.80/, false",
      "reports, http://192.0.2.3/, false",
      "reports, http://other.test/, false",
    })
    void have_rules_of_their_own_besides_those_of_all(String namespace, String url, boolean allowed)
        throws Exception {
      assertThat(mayCall(egress, namespace, url)).isEqualTo(allowed);
    }

    @Test
    void cannot_open_what_is_denied_for_all() throws Exception {
      NamespaceEgress open = egress(
          "executors.http.deny=10.0.0.0/8", "executors.http.namespaceAllow=billing=* 0.0.0.0/0");
      assertThat(mayCall(open, "billing", "http://10.0.0.1/")).isFalse();
      assertThat(mayCall(open, "billing", "http://169.254.169.254/")).isFalse();
      assertThat(mayCall(open, "billing", "http://127.0.0.1:8080/")).isFalse();
      assertThat(mayCall(open, "billing", "http://192.0.2.1/")).isTrue();
    }

    @Test
    void with_an_allow_rule_may_call_nothing_else_although_all_others_may() throws Exception {
      NamespaceEgress narrow = egress("executors.http.namespaceAllow=billing=192.0.2.1");
      assertThat(mayCall(narrow, "billing", "http://192.0.2.2/")).isFalse();
      assertThat(mayCall(narrow, "default", "http://192.0.2.2/")).isTrue();
    }

    @Test
    void without_rules_of_their_own_share_their_connections() {
      assertThat(egress.rules("a"))
          .isSameAs(egress.rules("b"))
          .isNotSameAs(egress.rules("billing"));
    }

    @Test
    void are_read_from_a_file_as_from_a_variable() throws Exception {
      Config file = Config.defaults().file("""
          executors:
            http:
              namespaceDeny:
                billing: [192.0.2.1, "10.0.0.0/8"]
                reports: 192.0.2.2
          """, "belfry.yaml");
      var same = new NamespaceEgress(file, time, () -> 0, Set::of);
      assertThat(mayCall(same, "billing", "http://10.9.9.9/")).isFalse();
      assertThat(mayCall(same, "reports", "http://192.0.2.2/")).isFalse();
      assertThat(mayCall(same, "reports", "http://10.9.9.9/")).isTrue();
      assertThat(file.lines())
          .anyMatch(line -> line.value()
              .equals(java.util.Optional.of("billing=192.0.2.1 10.0.0.0/8,reports=192.0.2.2")));
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "executors.http.namespaceAllow=billing=a_b!",
          "executors.http.namespaceDeny=billing=10.0.0.0/99",
          "executors.http.namespaceDeny=Billing!=10.0.0.0/8",
          "executors.http.namespaceAllow=belfry.system=*",
        })
    void with_rules_that_mean_nothing_are_refused_by_key(String pair) {
      Config config = Config.defaults().set(pair);
      String key = pair.substring(0, pair.lastIndexOf('=')).replaceFirst("=", ".");
      assertThatThrownBy(() -> NamespaceEgress.check(config)).hasMessageContaining(key);
    }

    @Test
    void that_are_no_map_are_refused_by_key() {
      assertThatThrownBy(() -> Config.defaults()
              .file("executors: {http: {namespaceDeny: [10.0.0.0/8]}}", "belfry.yaml"))
          .hasMessageContaining("executors.http.namespaceDeny must be a map of lists");
    }
  }
}
