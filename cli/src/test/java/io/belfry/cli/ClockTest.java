package io.belfry.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Times are relative to the arrival of the response, and retries wait as long as the server asks for. */
class ClockTest {
  /** A worker that was seen two seconds after the command began. */
  private static final String WORKER =
      "{\"items\": [{\"id\": \"w\", \"status\": \"idle\", \"since\": \"2026-11-16T10:00:02Z\","
          + " \"heartbeat\": \"2026-11-16T10:00:02Z\"}]}";

  @Test
  void events_during_the_call_are_shown_as_past() {
    try (var server = new StandIn()) {
      Terminal terminal = Terminal.at(server);
      server.on("GET workers", exchange -> {
        terminal.pass(Duration.ofSeconds(5));
        StandIn.send(exchange, 200, WORKER);
      });
      Terminal.Ran ran = terminal.run("workers", "list");
      assertThat(ran.exit()).isZero();
      assertThat(ran.out()).contains("3s ago").doesNotContain("in 2s");
    }
  }

  @Test
  void a_past_time_from_a_fast_clock_is_just_now() {
    try (var server = new StandIn().on("GET workers", 200, WORKER)) {
      Terminal.Ran ran = Terminal.at(server).run("workers", "list");
      assertThat(ran.out()).contains("just now").doesNotContain("in 2s");
    }
  }

  @Test
  void a_read_is_retried_after_the_time_that_the_server_asks_for() {
    for (int status : new int[] {429, 503}) {
      var times = new AtomicInteger();
      try (var server = new StandIn()) {
        server.on("GET workers", exchange -> {
          if (times.incrementAndGet() == 1) {
            exchange.getResponseHeaders().add("Retry-After", "0");
            StandIn.send(exchange, status, StandIn.problem("later", "Later."));
          } else {
            StandIn.send(exchange, 200, WORKER);
          }
        });
        Terminal.Ran ran = Terminal.at(server).run("workers", "list");
        assertThat(ran.exit()).as("after %s", status).isZero();
        assertThat(times).hasValue(2);
      }
    }
  }
}
