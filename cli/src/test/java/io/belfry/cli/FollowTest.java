package io.belfry.cli;

import static io.belfry.cli.StandIn.event;
import static io.belfry.cli.StandIn.events;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.cli.Terminal.Ran;
import io.belfry.cli.show.Width;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FollowTest {
  private static String log(int attempt, int to, String text) {
    return event(
        attempt + ":" + to, "log", "{\"attempt\":" + attempt + ",\"text\":\"" + text + "\"}");
  }

  @Nested
  class Logs {
    @Test
    void are_streamed_across_a_lost_connection_until_the_task_has_ended() {
      var connections = new AtomicInteger();
      StandIn.Reply first = events(log(1, 6, "one\\ntw"), "id: 1:9\nevent: log\ndata: {\"att");
      StandIn.Reply second =
          events(log(1, 8, "o\\n"), log(2, 5, "three"), event("end", "end", "{}"));
      try (var server = new StandIn().on("GET tasks/t/logs", exchange -> {
        (connections.getAndIncrement() == 0 ? first : second).to(exchange);
      })) {
        Ran ran = Terminal.at(server).run("task", "logs", "-f", "t");
        assertThat(ran.out()).isEqualTo("one\ntwo\nthree\n");
        assertThat(ran.err())
            .isEqualTo("belfry: Connection lost; reconnecting.\nbelfry: attempt 2\n");
        assertThat(ran.exit()).isZero();
        assertThat(server.asked().getFirst().address()).endsWith("/logs?follow=true");
        assertThat(server.asked().getLast().header("Last-event-id")).isEqualTo("1:6");
      }
    }

    @Test
    void of_several_attempts_are_labeled_and_an_empty_log_is_reported() {
      try (var server = new StandIn()
          .on(
              "GET tasks/t/logs",
              200,
              "{\"attempts\":[{\"number\":1,\"text\":\"a\"},{\"number\":2,\"text\":\"b\\n\"}]}")
          .on("GET tasks/u/logs", 200, "{\"attempts\":[]}")) {
        Ran two = Terminal.at(server).run("task", "logs", "t");
        assertThat(two.out()).isEqualTo("a\nb\n");
        assertThat(two.err()).isEqualTo("belfry: attempt 1\nbelfry: attempt 2\n");
        assertThat(Terminal.at(server).run("task", "logs", "u").err())
            .contains("has no log output");
      }
    }

    @Test
    void of_an_unknown_task_are_a_clear_error() {
      try (var server = new StandIn()) {
        Ran ran = Terminal.at(server).run("task", "logs", "-f", "nope");
        assertThat(ran.exit()).isEqualTo(1);
        assertThat(ran.err()).startsWith("belfry: There is nothing at");
      }
    }
  }

  @Nested
  class Events {
    private final StandIn.Reply three = events(
        event(
            "a-1",
            "taskCompleted",
            "{\"type\":\"taskCompleted\",\"task\":\"n@1\",\"name\":\"N\",\"state\":\"succeeded\"}"),
        event("a-2", "reset", "{}"),
        event("a-3", "workerLeft", "{\"type\":\"workerLeft\",\"worker\":\"w-1\"}"));

    @Test
    void are_shown_as_they_come() {
      try (var server = new StandIn().on("GET events", three)) {
        Ran ran = Terminal.at(server)
            .run(
                "cluster", "events", "-f", "--count", "3", "--type", "taskCompleted", "--job", "n");
        assertThat(ran.out()).isEqualTo("""
                2026-11-16 10:00:00  taskCompleted    n@1  state=succeeded
                2026-11-16 10:00:00  workerLeft       w-1
                """);
        assertThat(ran.err()).isEqualTo("belfry: Some events were missed.\n");
        assertThat(server.asked().getFirst().address())
            .endsWith("/events?type=taskCompleted&job=n");
      }
    }

    @Test
    void fit_the_terminal() {
      try (var server = new StandIn().on("GET events", three)) {
        Ran ran = Terminal.at(server)
            .wide(50)
            .with("NO_COLOR", "1")
            .run("cluster", "events", "--count", "3");
        assertThat(ran.out().lines()).hasSize(2).allMatch(line -> Width.of(line) <= 50);
        assertThat(ran.out()).contains("n@1  state=…");
      }
    }

    @Test
    void are_lines_of_json_and_resume_after_an_event() {
      try (var server = new StandIn().on("GET events", three)) {
        Ran ran = Terminal.at(server)
            .run("cluster", "events", "-f", "--count", "1", "-o", "json", "--after", "a-0");
        assertThat(ran.out())
            .isEqualTo(
                "{\"id\":\"a-1\",\"event\":\"taskCompleted\",\"data\":{\"type\":\"taskCompleted\",\"task\":\"n@1\",\"name\":\"N\",\"state\":\"succeeded\"}}\n");
        assertThat(server.asked().getFirst().header("Last-event-id")).isEqualTo("a-0");
      }
    }
  }

  @Nested
  class Sleeper {
    @ParameterizedTest
    @CsvSource({"succeeded, 0", "failed, 1", "cancelled, 1", "skipped, 1"})
    void ends_with_the_task_and_its_outcome(String state, int exit) {
      var looks = new AtomicInteger();
      try (var server = new StandIn().on("GET tasks/01k8fgq2", exchange -> {
        String now = looks.incrementAndGet() < 4 ? "running" : state;
        StandIn.send(exchange, 200, "{\"id\":\"01k8fgq2\",\"state\":\"" + now + "\"}");
      })) {
        Ran ran = Terminal.at(server).run("task", "submit", "--handler", "x", "--wait");
        assertThat(ran.exit()).isEqualTo(exit);
        assertThat(ran.out()).contains(state);
        assertThat(looks).hasValue(4);
      }
    }

    @Test
    void has_a_limit_if_one_is_given() {
      try (var server = new StandIn().on("GET tasks/01k8fgq2", 200, "{\"state\":\"running\"}")) {
        Ran ran = Terminal.at(server)
            .run("task", "submit", "--handler", "x", "--wait", "--wait-limit", "30s");
        assertThat(ran.exit()).isEqualTo(1);
        assertThat(ran.err()).contains("is still running after 30 s. It continues");
      }
    }
  }

  @Test
  void a_submission_is_retried_with_the_same_key() {
    var tries = new AtomicInteger();
    try (var server = new StandIn().on("POST tasks", exchange -> {
      if (tries.getAndIncrement() > 0) {
        StandIn.send(exchange, 201, "{\"id\":\"t\"}");
      }
    })) {
      Ran ran = Terminal.at(server).run("task", "submit", "--handler", "x");
      assertThat(ran.exit()).isZero();
      assertThat(server.asked()).hasSize(2);
      String body = server.asked().getFirst().body();
      assertThat(body).containsPattern("\"key\":\"cli-[0-9a-f]{32}\"");
      assertThat(server.asked().getLast().body()).isEqualTo(body);
    }
  }

  @Test
  void many_tasks_have_an_outcome_each() {
    String answer =
        "{\"results\":[{\"outcome\":\"accepted\",\"id\":\"a\"},{\"outcome\":\"refused\","
            + "\"error\":{\"code\":\"invalid\",\"message\":\"must be known\",\"field\":\"executor.type\"}}]}";
    try (var server = new StandIn().on("POST tasks", 200, answer)) {
      Ran ran = Terminal.at(server)
          .typing("- {executor: {type: local}}\n- {executor: {type: magic}}\n")
          .run("task", "submit", "-f", "-");
      assertThat(ran.exit()).isEqualTo(1);
      assertThat(ran.out()).isEqualTo("""
              TASK  OUTCOME   ID  REMARK
                 1  accepted  a
                 2  refused       executor.type: must be known
              """);
      assertThat(ran.err()).isEqualTo("belfry: 1 of 2 tasks were refused.\n");
    }
  }
}
