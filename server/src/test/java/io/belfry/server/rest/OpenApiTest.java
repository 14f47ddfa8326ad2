package io.belfry.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.server.live.EventTypes;
import io.belfry.server.verb.RunningServer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The document describes the server: every route, who may use it, and what it really answers. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OpenApiTest {
  /** What cannot be asked wrongly: anybody may ask, and there is nothing to say. */
  private static final Set<String> HARMLESS = Set.of("health", "ready", "openapi");

  private RunningServer server;
  private Target target;
  private Document document;

  @BeforeAll
  void start(@TempDir Path own) {
    server = new RunningServer(own.resolve("data"), "limit.loginRate=1000");
    target = new Target();
    document = new Document(server.ask("GET", "/openapi.json", "", "").body());
  }

  @AfterAll
  void stop() {
    server.close();
    target.close();
  }

  @Nested
  class The_document {
    @Test
    void has_an_operation_for_each_route_and_a_route_for_each_operation() {
      Function<Route, String> route =
          each -> each.name() + " " + each.method() + " " + each.path() + " " + role(each);
      assertThat(document.operations().stream()
              .map(each -> each.id() + " " + each.method() + " " + each.path() + " " + each.role()))
          .containsExactlyInAnyOrderElementsOf(
              server.api().routes().stream().map(route).toList());
    }

    private static String role(Route route) {
      return route.permission().name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Test
    void names_every_operation_differently() {
      assertThat(document.operations().stream().map(Document.Operation::id).toList())
          .doesNotHaveDuplicates()
          .allMatch(id -> id.matches("[a-z][A-Za-z]+"));
    }

    @Test
    void is_OpenAPI_in_itself() {
      assertThat(document.root().path("openapi").asString()).startsWith("3.1.");
      assertThat(document.root().at("/info/title").asString()).isEqualTo("Belfry");
      assertThat(document.root().at("/info/version").asString()).isNotEmpty();
      assertThat(document.dangling()).isEmpty();
      assertThat(document.root().toString()).as("anchors are not JSON").doesNotContain("\"<<\"");
      Set<String> tags = document
          .root()
          .path("tags")
          .valueStream()
          .map(tag -> tag.path("name").asString())
          .collect(Collectors.toSet());
      for (Document.Operation each : document.operations()) {
        var node = document
            .root()
            .path("paths")
            .path(each.path())
            .path(each.method().toLowerCase(Locale.ROOT));
        assertThat(node.path("summary").asString("")).as(each.id()).endsWith(".");
        assertThat(tags).as(each.id()).contains(node.at("/tags/0").asString());
        assertThat(each.responses()).as(each.id()).isNotEmpty();
        each.responses()
            .forEach(
                (status, response) -> assertThat(response.path("description").asString(""))
                    .as(each.id() + " " + status)
                    .isNotEmpty());
        assertThat(new TreeSet<>(each.names("path"))).as(each.id()).isEqualTo(inBraces(each));
        assertThat(node.path("security").isArray())
            .as(each.id() + ": only what is open to anybody has a security of its own")
            .isEqualTo(each.role().equals("anonymous"));
      }
    }

    private static Set<String> inBraces(Document.Operation operation) {
      var names = new TreeSet<String>();
      var matcher = java.util.regex.Pattern.compile("\\{(\\w+)}").matcher(operation.path());
      while (matcher.find()) {
        names.add(matcher.group(1));
      }
      return names;
    }

    @Test
    void says_for_every_operation_how_it_may_be_refused() {
      for (Document.Operation each : document.operations()) {
        var needed = new HashSet<String>();
        if (!each.role().equals("anonymous")) {
          needed.addAll(Set.of("401", "429"));
        }
        if (each.path().contains("{ns}")) {
          needed.addAll(Set.of("403", "404"));
        }
        if (each.body().isPresent()) {
          needed.addAll(Set.of("400", "413", "415"));
        }
        assertThat(each.responses().keySet()).as(each.id()).containsAll(needed);
      }
    }

    @Test
    void describes_every_type_of_event() {
      var types = new TreeSet<>(EventTypes.all());
      types.add("reset");
      assertThat(document.events("events").keySet()).isEqualTo(types);
      assertThat(document.events("taskLogs").keySet()).containsExactly("anew", "end", "log");
      Map<String, ?> events = document.events("events");
      assertThat(events)
          .allSatisfy((type, schema) -> assertThat(schema.toString()).contains("components"));
    }

    @Test
    void knows_every_code_of_a_refusal() {
      assertThat(document
              .root()
              .at("/components/schemas/Problem/properties/code/enum")
              .valueStream()
              .map(code -> code.asString()))
          .containsExactlyInAnyOrderElementsOf(
              Arrays.stream(Problem.Code.values()).map(code -> code.word).toList());
    }
  }

  @Test
  void every_operation_answers_as_the_document_says_to_good_and_to_bad_requests() {
    var caller = new Caller(server, document);
    new Conversation(caller, server, target, document).hold();
    assertThat(caller.faults()).isEmpty();
    assertThat(document.operations().stream().map(Document.Operation::id))
        .as("every operation was called well")
        .allMatch(caller.good()::contains);
    assertThat(document.operations().stream()
            .map(Document.Operation::id)
            .filter(id -> !HARMLESS.contains(id)))
        .as("every operation was called badly")
        .allMatch(caller.bad()::contains);
  }
}
