package io.belfry.executors.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.belfry.model.InvalidException;
import io.belfry.model.time.Time;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EgressRulesTest {
  private static final Deadline SOON = Deadline.after(Time.system(), Duration.ofMinutes(5));

  private static boolean isAllowed(EgressRules rules, String url, String... addresses)
      throws Exception {
    Target target = Target.parse("url", url);
    var all = new ArrayList<InetAddress>();
    for (String address : addresses) {
      all.add(InetAddress.getByName(address));
    }
    target.address().ifPresent(all::add);
    HostLookup nobody = (host, until) -> {
      throw new UnknownHostException(host);
    };
    return rules.refusal(target, all, nobody, SOON).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://127.0.0.1/",
        "http://[::1]:8080/",
        "http://10.1.2.3/",
        "https://192.168.1.1/",
        "http://172.16.0.9/",
        "http://[fd12::1]/",
        "http://93.184.216.34/",
        "http://[2606:2800:220:1::1]/",
        "http://100.64.0.1/",
        "http://[2002:5db8:d822::1]/",
        "http://[64:ff9b::5db8:d822]/",
        "http://[64:ff9b:1::5db8:d822]/",
        "http://[64:ff9b:1:5db8:d8:2200::]/",
        "http://[64:ff9b:1:5d:b8:d822::]/",
        "http://[64:ff9b:1:0:5d:b8d8:2200:0]/"
      })
  void without_rules_loopback_private_and_public_addresses_are_allowed(String url)
      throws Exception {
    assertThat(isAllowed(EgressRules.standard(), url)).isTrue();
  }

  @Nested
  class Denying {
    private final EgressRules rules = EgressRules.standard()
        .deny("10.0.0.0/8")
        .deny("*.evil.test")
        .deny("[fd00::/8]:8000-8999")
        .deny("bad.test:81");

    @ParameterizedTest
    @CsvSource({
      "http://h.test/, 10.9.9.9, false",
      "http://h.test/, 11.9.9.9, true",
      "http://h.test/, ::ffff:10.9.9.9, false",
      "http://h.test/, 64:ff9b::a09:909, false",
      "http://h.test:8500/, fd00::1, false",
      "http://h.test:9000/, fd00::1, true",
      "http://a.b.evil.test/, 1.1.1.1, false",
      "http://EVIL.test/, 1.1.1.1, true",
      "http://notevil.test/, 1.1.1.1, true",
      "http://bad.test:81/, 1.1.1.1, false",
      "http://bad.test/, 1.1.1.1, true"
    })
    void refuses_what_it_names(String url, String address, boolean allowed) throws Exception {
      assertThat(isAllowed(rules, url, address)).isEqualTo(allowed);
    }

    @Test
    void one_bad_address_refuses_them_all() throws Exception {
      assertThat(isAllowed(rules, "http://h.test/", "1.1.1.1", "10.0.0.1")).isFalse();
    }
  }

  @Nested
  class Allowing {
    private final EgressRules rules = EgressRules.standard()
        .allow("*.example.org:443")
        .allow("192.168.7.0/24")
        .deny("192.168.7.13");

    @ParameterizedTest
    @CsvSource({
      "https://api.example.org/, 1.2.3.4, true",
      "http://api.example.org/, 1.2.3.4, false",
      "https://example.org/, 1.2.3.4, false",
      "https://api.example.org.evil.test/, 1.2.3.4, false",
      "http://h.test:99/, 192.168.7.1, true",
      "http://h.test/, 192.168.8.1, false",
      "http://h.test/, 192.168.7.13, false",
      "https://api.example.org/, 192.168.7.13, false",
      "https://api.example.org/, 169.254.169.254, false"
    })
    void refuses_everything_else_and_denying_wins(String url, String address, boolean allowed)
        throws Exception {
      assertThat(isAllowed(rules, url, address)).isEqualTo(allowed);
    }

    @Test
    void every_address_must_be_allowed() throws Exception {
      assertThat(isAllowed(rules, "http://h.test/", "192.168.7.1", "192.168.8.1"))
          .isFalse();
    }

    @Test
    void no_rule_opens_what_is_never_allowed() throws Exception {
      EgressRules all = EgressRules.standard().allow("*").allow("0.0.0.0/0").allow("::/0");
      assertThat(isAllowed(all, "http://169.254.169.254/")).isFalse();
      assertThat(isAllowed(all, "http://h.test/", "fe80::1")).isFalse();
      assertThat(isAllowed(all, "http://h.test/", "1.1.1.1")).isTrue();
    }
  }

  @Nested
  class OwnPorts {
    @Test
    void an_engine_that_cannot_be_looked_up_now_might_be_the_target() throws Exception {
      EgressRules rules = EgressRules.standard().withOwn("engine.test", 2379);
      assertThat(isAllowed(rules, "http://h.test:2379/", "192.0.2.1")).isFalse();
      assertThat(isAllowed(rules, "http://h.test:2380/", "192.0.2.1")).isTrue();
    }

    @Test
    void all_addresses_of_this_machine_are_meant_by_a_star_or_the_unspecified_address()
        throws Exception {
      for (String host : List.of("*", "0.0.0.0", "::", "[::]", "127.0.0.1")) {
        EgressRules rules = EgressRules.standard().withOwn(host, 8080);
        assertThat(isAllowed(rules, "http://h.test:8080/", "127.0.0.1"))
            .as(host)
            .isFalse();
        assertThat(isAllowed(rules, "http://h.test:8080/", "::1")).as(host).isFalse();
        assertThat(isAllowed(rules, "http://h.test:8080/", "192.0.2.1"))
            .as(host)
            .isTrue();
        assertThat(isAllowed(rules, "http://h.test:8081/", "127.0.0.1"))
            .as(host)
            .isTrue();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "10.0.0.0/33",
        "10.0.0/8",
        "fd00::/129",
        "a b",
        "*.*.org",
        "http://x/",
        "h:0",
        "h:70000",
        "h:9-8",
        "h:x",
        "[fd00::/8",
        "*x.org",
        "010.0.0.0/8"
      })
  void rules_that_mean_nothing_are_refused(String rule) {
    assertThatExceptionOfType(InvalidException.class)
        .isThrownBy(() -> EgressRules.standard().deny(rule))
        .satisfies(e -> assertThat(e.field()).isEqualTo("egress.deny"));
  }

  @Nested
  class Targets {
    @ParameterizedTest
    @CsvSource({
      "HTTP://Example.ORG, http://example.org/",
      "http://example.org:80/x, http://example.org/x",
      "https://example.org:443?q=1, https://example.org/?q=1",
      "https://example.org:80/, https://example.org:80/",
      "http://h/a%20b?c=%2F&d=e:f@g, http://h/a%20b?c=%2F&d=e:f@g",
      "http://h//x, http://h//x",
      "http://h/x#y, http://h/x",
      "http://xn--bcher-kva.example/, http://xn--bcher-kva.example/",
      "'http://[0:0::1]:8080/', 'http://[0:0:0:0:0:0:0:1]:8080/'",
      "'http://[::FFFF:127.0.0.1]/', 'http://127.0.0.1/'"
    })
    void have_one_spelling(String url, String canonical) {
      assertThat(Target.parse("url", url)).hasToString(canonical);
      assertThat(Target.parse("url", url).uri()).hasToString(canonical);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "http://h/%",
          "http://h/%zz",
          "http://h/a b",
          "http://h/[x]",
          "http://h/ü",
          "http://h/{x}"
        })
    void have_paths_of_legal_characters(String url) {
      assertThatExceptionOfType(InvalidException.class).isThrownBy(() -> Target.parse("url", url));
    }
  }

  @Test
  void names_are_looked_up_on_threads_that_may_be_left_alone() throws Exception {
    HostLookup names = NameLookups.system(Time.system()).of("test");
    assertThat(names.find("localhost", SOON)).isNotEmpty().allMatch(InetAddress::isLoopbackAddress);
    assertThatExceptionOfType(UnknownHostException.class)
        .isThrownBy(() -> names.find("no-such-host.invalid", SOON));
  }

  @ParameterizedTest
  @ValueSource(strings = {"[", "1.", "a.", "[::"})
  void a_host_of_100_kb_is_refused_before_it_is_read(String beginning) {
    String host = beginning + ":".repeat(100_000);
    assertThatExceptionOfType(InvalidException.class)
        .isThrownBy(() -> Host.parse("url", host + "]"))
        .withMessageContaining("at most 253 characters");
  }
}
