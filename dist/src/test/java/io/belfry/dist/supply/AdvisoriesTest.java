package io.belfry.dist.supply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.model.InvalidException;
import io.belfry.model.time.Time;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.json.JsonMapper;

/** A version with a published vulnerability is found, by the rules of its own ecosystem, and nothing else is. */
class AdvisoriesTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String LIST = """
      {"compiled": "2026-11-18", "advisories": [
        {"id": "CVE-1", "ecosystem": "maven", "package": "io.example:codec", "severity": "high", "summary": "Bad.",
         "ranges": [{"introduced": "0", "fixed": "1.2.3"}, {"introduced": "2.0.0-rc1", "fixed": "2.0.4.Final"}]},
        {"id": "CVE-2", "ecosystem": "npm", "package": "@scope/ui", "severity": "low", "summary": "Bad, too.",
         "ranges": [{"introduced": "7.0.0", "fixed": "7.5.2"}]}]}
      """;

  private static String bom(String... purls) {
    var root = JSON.createObjectNode();
    var all = root.putArray("components");
    for (String purl : purls) {
      all.addObject().put("bom-ref", purl).put("purl", purl);
    }
    return root.toString();
  }

  private static List<String> found(String... purls) {
    return Advisories.parse(LIST).findings(Sbom.parse(bom(purls)).components()).stream()
        .map(each -> each.advisory().id() + " " + each.component().version())
        .toList();
  }

  @Test
  void an_old_version_is_found_and_a_fixed_one_is_not() {
    assertThat(found("pkg:maven/io.example/codec@1.2.2?type=jar")).containsExactly("CVE-1 1.2.2");
    assertThat(found("pkg:maven/io.example/codec@1.2.3?type=jar")).isEmpty();
    assertThat(found("pkg:maven/io.example/codec@2.0.0-rc2")).containsExactly("CVE-1 2.0.0-rc2");
    assertThat(found("pkg:maven/io.example/codec@2.0.3.Final")).hasSize(1);
    assertThat(found("pkg:maven/io.example/codec@2.0.4.Final")).isEmpty();
    assertThat(found("pkg:npm/%40scope/ui@7.5.1")).containsExactly("CVE-2 7.5.1");
    assertThat(found("pkg:npm/%40scope/ui@7.5.2-rc.1")).hasSize(1);
    assertThat(found("pkg:npm/%40scope/ui@7.5.2", "pkg:npm/%40scope/ui@6.9.9")).isEmpty();
  }

  @Test
  void the_same_name_in_another_ecosystem_is_another_package() {
    assertThat(found("pkg:npm/io.example:codec@1.0.0", "pkg:cargo/codec@1.0.0", "nonsense"))
        .isEmpty();
  }

  @Test
  void versions_follow_each_other_as_maven_says() {
    List<String> order = List.of(
        "1.0-alpha1",
        "1.0-beta2",
        "1.0-M1",
        "1.0-rc1",
        "1.0-SNAPSHOT",
        "1.0",
        "1.0-sp1",
        "1.0.1",
        "1.0.10",
        "1.2",
        "1.10",
        "2.0.0.alpha0",
        "2.0.0.beta0",
        "2.0.0",
        "2.13.4",
        "2.13.4.2",
        "12.1.0",
        "20231013");
    for (int i = 1; i < order.size(); i++) {
      assertThat(Versions.maven(order.get(i - 1), order.get(i)))
          .as(order.get(i - 1) + " < " + order.get(i))
          .isNegative();
      assertThat(Versions.maven(order.get(i), order.get(i - 1))).isPositive();
    }
    assertThat(Versions.maven("1.0", "1.0.0.Final")).isZero();
    assertThat(Versions.maven("4.1.124.Final", "4.1.124")).isZero();
    assertThat(Versions.maven("1.0-GA", "1.0-RELEASE")).isZero();
  }

  @Test
  void versions_follow_each_other_as_npm_says() {
    List<String> order = List.of(
        "0.9.9",
        "1.0.0-alpha",
        "1.0.0-alpha.1",
        "1.0.0-alpha.beta",
        "1.0.0-beta.2",
        "1.0.0-beta.11",
        "1.0.0-rc.1",
        "1.0.0",
        "1.0.1-0",
        "1.0.1",
        "1.2.0",
        "1.10.0",
        "7.0.0");
    for (int i = 1; i < order.size(); i++) {
      assertThat(Versions.npm(order.get(i - 1), order.get(i)))
          .as(order.get(i - 1) + " < " + order.get(i))
          .isNegative();
      assertThat(Versions.npm(order.get(i), order.get(i - 1))).isPositive();
    }
    assertThat(Versions.npm("1.0.0+build.5", "1.0.0")).isZero();
    assertThat(Versions.npm("0", "0.0.0")).isZero();
  }

  @Test
  void the_list_that_is_built_in_can_be_read_and_finds_planted_versions() throws Exception {
    Advisories own = Advisories.parse(AdvisoriesCommand.own());
    assertThat(own.all()).hasSizeGreaterThan(50);
    assertThat(own.all())
        .allSatisfy(advisory -> assertThat(advisory.ranges())
            .allSatisfy(range -> assertThat(
                    Versions.of(advisory.ecosystem()).compare(range.introduced(), range.fixed()))
                .as(advisory.id())
                .isNegative()));
    assertThat(own.all().stream()
            .filter(advisory -> advisory.ecosystem().equals("maven"))
            .map(Advisories.Advisory::name))
        .allMatch(name -> name.matches("[a-z0-9.]+:[a-z0-9.-]+"));
    List<Component> planted = Sbom.parse(bom(
            "pkg:maven/com.google.protobuf/protobuf-java@4.28.1",
            "pkg:maven/ch.qos.logback/logback-core@1.5.18",
            "pkg:maven/org.eclipse.jetty/jetty-server@12.1.5",
            "pkg:npm/vite@8.0.4"))
        .components();
    assertThat(own.findings(planted).stream().map(each -> each.component().name()))
        .contains(
            "com.google.protobuf:protobuf-java",
            "ch.qos.logback:logback-core",
            "org.eclipse.jetty:jetty-server",
            "vite");
  }

  @Test
  void a_list_that_would_never_match_is_refused() {
    for (String wrong : List.of(
        "no json",
        "{}",
        "{\"compiled\": \"2026-11-18\", \"advisories\": []}",
        LIST.replace("2026-11-18", "yesterday"),
        LIST.replace("\"npm\"", "\"NPM\""),
        LIST.replace("\"fixed\"", "\"fix\""))) {
      assertThatThrownBy(() -> Advisories.parse(wrong))
          .as(wrong)
          .isInstanceOf(InvalidException.class);
    }
  }

  private record Ran(int exit, String out, String err) {}

  private static Ran run(String today, String... arguments) {
    var out = new StringWriter();
    var err = new StringWriter();
    CommandLine line = AdvisoriesCommand.line(new Time() {
      @Override
      public Instant wall() {
        return Instant.parse(today + "T12:00:00Z");
      }

      @Override
      public long nanos() {
        return 0;
      }
    });
    int exit = line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(arguments);
    return new Ran(exit, out.toString(), err.toString());
  }

  @Test
  void the_command_fails_if_something_is_found_and_warns_if_the_list_is_old(@TempDir Path own)
      throws Exception {
    Path list = Files.writeString(own.resolve("list.json"), LIST);
    Path good = Files.writeString(own.resolve("good.json"), bom("pkg:npm/%40scope/ui@8.0.0"));
    Path bad = Files.writeString(own.resolve("bad.json"), bom("pkg:npm/%40scope/ui@7.1.0"));
    Ran clean = run("2027-02-16", "--list", list.toString(), "--sbom", good.toString());
    assertThat(clean.exit()).isZero();
    assertThat(clean.out()).contains("1 packages, 2 advisories of 2026-11-18, 0 found.");
    assertThat(clean.err()).isEmpty();
    Ran found = run("2027-02-17", "--list", list.toString(), "--sbom", bad.toString());
    assertThat(found.exit()).isEqualTo(1);
    assertThat(found.out()).contains("CVE-2 low: @scope/ui 7.1.0 (npm) – Bad, too.");
    assertThat(found.err()).contains("91 days old").contains("--list");
  }

  @Test
  void both_parts_become_one_document_in_a_fixed_order() {
    var java = JSON.readTree(
        "{\"bomFormat\": \"CycloneDX\", \"components\": [{\"bom-ref\": \"pkg:maven/b/b@1\", \"purl\": \"pkg:maven/b/b@1\"}]}");
    var ui = JSON.readTree(
        "{\"components\": [{\"bom-ref\": \"pkg:npm/z@1\", \"purl\": \"pkg:npm/z@1\"}, {\"bom-ref\": \"pkg:npm/a@1\", \"purl\": \"pkg:npm/a@1\"}]}");
    assertThat(Sbom.merged(java, ui).components().stream().map(Component::name))
        .containsExactly("b:b", "a", "z");
    assertThat(Sbom.merged(java, ui).json()).isEqualTo(Sbom.merged(java, ui).json());
  }
}
