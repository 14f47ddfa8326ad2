package io.belfry.executors.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.belfry.executors.egress.Target;
import io.belfry.model.InvalidException;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DestinationsTest {
  private static final Destination SCRIPT = new Destination.Script();

  private static Destination server(String url) {
    return new Destination.Server(Target.parse("url", url));
  }

  private static Destinations of(String... written) {
    return Destinations.parse("destinations", List.of(written));
  }

  @ParameterizedTest
  @CsvSource({
    "https://billing.example.org, https://billing.example.org/run?x=1",
    "https://billing.example.org, https://billing.example.org:443/",
    "https://BILLING.example.org:443/, https://billing.EXAMPLE.org/",
    "https://billing.example.org:8443, https://billing.example.org:8443/",
    "http://10.0.0.7:8080, http://10.0.0.7:8080/a",
    "https://[2001:db8::7], https://[2001:DB8:0::7]/a",
    "https://*.example.org, https://a.example.org/",
    "https://*.example.org, https://a.b.example.org/",
    "https://*.example.org:8443, https://a.example.org:8443/",
    "*, http://anything.test:99/",
  })
  void allow_what_they_name(String destination, String url) {
    assertThat(of(destination).allow(server(url))).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "https://billing.example.org, http://billing.example.org/",
    "https://billing.example.org, https://billing.example.org:8443/",
    "https://billing.example.org, https://billing.example.org.evil.test/",
    "https://billing.example.org, https://a.billing.example.org/",
    "https://*.example.org, https://example.org/",
    "https://*.example.org, https://evilexample.org/",
    "https://*.example.org, https://a.example.org.evil.test/",
    "https://*.example.org, http://a.example.org/",
    "https://*.example.org, https://a.example.org:8443/",
    "http://*.test, http://127.0.0.1/",
    "script, https://billing.example.org/",
  })
  void refuse_everything_else(String destination, String url) {
    assertThat(of(destination).allow(server(url))).isFalse();
  }

  @Test
  void let_scripts_have_a_secret_only_where_they_say_so() {
    assertThat(of("https://billing.example.org").allow(SCRIPT)).isFalse();
    assertThat(of("https://billing.example.org", "script").allow(SCRIPT)).isTrue();
    assertThat(of("*").allow(SCRIPT)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "billing.example.org",
        "ftp://billing.example.org",
        "https://billing.example.org/path",
        "https://billing.example.org?x=1",
        "https://billing.example.org#x",
        "https://user:pw@billing.example.org",
        "https://*",
        "https://*.",
        "https://*.10.0.0.7",
        "https://a.*.example.org",
        "https://*.*.example.org",
        "https://*example.org",
        "https://0x7f.1",
        "https://${payload.host}",
        "scripts"
      })
  void are_refused_when_nothing_can_be_compared_with_them(String written) {
    assertThatExceptionOfType(InvalidException.class)
        .isThrownBy(() -> of("script", written))
        .matches(e -> e.field().equals("destinations[1]"))
        .withMessageNotContaining("pw");
  }

  @Test
  void must_be_there_and_are_bounded() {
    assertThatExceptionOfType(InvalidException.class)
        .isThrownBy(() -> Destinations.parse("d", List.of()))
        .withMessageContaining("must have 1 to 20 destinations");
    assertThatExceptionOfType(InvalidException.class)
        .isThrownBy(() -> Destinations.parse("d", Collections.nCopies(21, "script")));
  }

  @Test
  void are_shown_in_one_spelling() {
    assertThat(of("HTTPS://A.example.org:443/", "https://a.example.org", "https://*.B.test:8443")
            .texts())
        .containsExactly("https://a.example.org", "https://*.b.test:8443");
    assertThat(of("script").isUnrestricted()).isFalse();
    assertThat(of("script", "*").isUnrestricted()).isTrue();
  }
}
