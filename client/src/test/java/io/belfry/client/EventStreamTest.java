package io.belfry.client;

import static io.belfry.client.StandIn.events;
import static io.belfry.client.StandIn.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventStreamTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  private final List<Duration> waits = new ArrayList<>();
  private final List<BelfryException> broken = new ArrayList<>();

  private EventStream open(ClientSettings settings) {
    return new Cluster(
            new Transport(settings.random(new Random(7)), waits::add), "/api/v1/namespaces/default")
        .events(Optional.of("taskFailed"), Optional.empty(), Optional.empty(), broken::add);
  }

  private static String event(int number) {
    return "id: node-" + number + "\nevent: taskFailed\ndata: {\"n\":" + number + "}\n\n";
  }

  private static int number(Optional<ServerEvent> event) {
    return event.orElseThrow().data().path("n").asInt();
  }

  @Test
  void events_come_in_order_with_id_and_type() {
    try (var server = new StandIn(events(": here\n\n", event(1) + event(2), event(3)));
        EventStream stream = open(ClientSettings.at(server.url()))) {
      ServerEvent first = stream.next().orElseThrow();
      assertThat(first.id()).contains("node-1");
      assertThat(first.type()).isEqualTo("taskFailed");
      assertThat(number(stream.next())).isEqualTo(2);
      assertThat(number(stream.next())).isEqualTo(3);
      assertThat(server.first().address())
          .isEqualTo("/api/v1/namespaces/default/events?type=taskFailed");
      assertThat(server.first().header("Accept")).isEqualTo("text/event-stream");
    }
  }

  @Test
  void a_stream_cut_within_an_event_resumes_after_the_last_complete_one() {
    try (var server = new StandIn(
            events(event(1), "id: node-2\nevent: taskFailed\ndata: {\"n\""),
            events(event(2), event(3)));
        EventStream stream = open(ClientSettings.at(server.url()))) {
      assertThat(number(stream.next())).isEqualTo(1);
      assertThat(number(stream.next())).isEqualTo(2);
      assertThat(number(stream.next())).isEqualTo(3);
      assertThat(server.asked().get(0).headers()).doesNotContainKey("Last-event-id");
      assertThat(server.asked().get(1).header("Last-event-id")).isEqualTo("node-1");
      assertThat(broken).hasSize(1);
    }
  }

  @Test
  void a_log_ends_with_its_task() {
    StandIn.Reply log = events(
        "id: 1:5\nevent: log\ndata: {\"attempt\":1,\"text\":\"hello\"}\n\n",
        "id: end\nevent: end\ndata: {}\n\n");
    try (var server = new StandIn(log);
        BelfryClient client = BelfryClient.open(ClientSettings.at(server.url()));
        EventStream stream = client.tasks().follow("a@2027-01-01T00:00:00Z", broken::add)) {
      assertThat(stream.next().orElseThrow().data().path("text").asString()).isEqualTo("hello");
      assertThat(stream.next()).isEmpty();
      assertThat(stream.isOver()).isTrue();
      assertThat(server.first().address())
          .isEqualTo(
              "/api/v1/namespaces/default/tasks/a%402027-01-01T00%3A00%3A00Z/logs?follow=true");
    }
  }

  @Test
  void a_refusal_ends_it() {
    try (var server = new StandIn(problem(403, "forbidden", "Not yours."));
        EventStream stream = open(ClientSettings.at(server.url()))) {
      assertThat(catchThrowableOfType(ApiException.class, stream::next)).hasMessage("Not yours.");
      assertThat(stream.isOver()).isTrue();
      assertThat(stream.next()).isEmpty();
    }
  }

  @Test
  void transient_refusals_are_retried() {
    try (var server = new StandIn(
            problem(429, "tooMany", "Later.", "Retry-After", "2"),
            problem(503, "unavailable", "Not yet."),
            events(event(1)));
        EventStream stream = open(ClientSettings.at(server.url()))) {
      assertThat(number(stream.next())).isEqualTo(1);
      assertThat(waits).hasSizeGreaterThanOrEqualTo(2).startsWith(Duration.ofSeconds(2));
      assertThat(broken).isEmpty();
    }
  }

  @Test
  void the_first_connection_is_not_tried_for_ever() {
    try (var server = new StandIn(StandIn.cut());
        EventStream stream = open(ClientSettings.at(server.url()).tries(2))) {
      assertThat(catchThrowableOfType(UnreachableException.class, stream::next))
          .hasMessageContaining("No response from " + server.url());
      assertThat(stream.isOver()).isTrue();
    }
  }

  @Test
  void another_server_takes_over() {
    try (var second = new StandIn(events("id: b-9\nevent: reset\ndata: {}\n\n"));
        var first = new StandIn(events(event(1)));
        EventStream stream = open(ClientSettings.at(first.url(), second.url()))) {
      assertThat(number(stream.next())).isEqualTo(1);
      assertThat(stream.next().orElseThrow().type()).isEqualTo("reset");
      assertThat(second.first().header("Last-event-id")).isEqualTo("node-1");
    }
  }

  @Test
  void an_idle_connection_is_replaced() {
    var release = new CountDownLatch(1);
    StandIn.Reply silent = exchange -> {
      events(event(1)).to(exchange);
      try {
        release.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    };
    try (var server = new StandIn(silent, events(event(2)));
        EventStream stream =
            open(ClientSettings.at(server.url()).silence(Duration.ofMillis(400)))) {
      assertThat(number(stream.next())).isEqualTo(1);
      assertThat(number(stream.next(SOON))).isEqualTo(2);
      release.countDown();
    }
  }

  @Test
  void closing_ends_the_wait_of_the_reader() throws Exception {
    var release = new CountDownLatch(1);
    var waiting = new CountDownLatch(1);
    StandIn.Reply silent = exchange -> {
      events(": here\n\n").to(exchange);
      waiting.countDown();
      try {
        release.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    };
    try (var server = new StandIn(silent);
        EventStream stream = open(ClientSettings.at(server.url()))) {
      var closer = new Thread(() -> {
        try {
          waiting.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
        stream.close();
      });
      closer.start();
      assertThat(stream.next()).isEmpty();
      closer.join();
      release.countDown();
    }
  }

  @Nested
  class The_parser {
    private List<ServerEvent> parse(String text, int size) throws IOException {
      var parser = new SseParser();
      var events = new ArrayList<ServerEvent>();
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      for (int from = 0; from < bytes.length; from += size) {
        int length = Math.min(size, bytes.length - from);
        parser.feed(ByteBuffer.wrap(bytes, from, length), events::add);
      }
      return events;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 1000})
    void accepts_pieces_of_any_size(int size) throws IOException {
      String text = ": hi\r\n\r\nid:1\r\nevent: log\r\ndata: {\"text\":\r\ndata: \"日志 ✓\"}\r\n\r\n"
          + "data: [1]\n\nid: 2\ndata: {}\r\rdata: {\"cut\":";
      List<ServerEvent> events = parse(text, size);
      assertThat(events).hasSize(3);
      assertThat(events.get(0).data().path("text").asString()).isEqualTo("日志 ✓");
      assertThat(events.get(0).id()).contains("1");
      assertThat(events.get(1).type()).isEqualTo("message");
      assertThat(events.get(1).id()).isEmpty();
      assertThat(events.get(2).id()).contains("2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{nope", "{\"n\":1e-9999999999}"})
    void refuses_what_is_no_json(String data) {
      assertThat(
              catchThrowableOfType(IOException.class, () -> parse("data: " + data + "\n\n", 100)))
          .hasMessageContaining("is not JSON");
    }
  }
}
