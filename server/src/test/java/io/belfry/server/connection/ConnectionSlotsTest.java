package io.belfry.server.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.server.connection.Client.Phase;
import io.belfry.server.connection.ConnectionSlots.Closing;
import io.belfry.testkit.ManualTime;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which connections are evicted at the limits, and which clients are too slow. */
class ConnectionSlotsTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final ConnectionLimits LIMITS =
      new ConnectionLimits(4, 3, 2, MINUTE, Duration.ofSeconds(10), MINUTE, MINUTE, 1024, 1024);

  private final ConnectionSlots slots = new ConnectionSlots(LIMITS);
  private long now = 1;

  private void later(Duration more) {
    now += more.toNanos();
  }

  private Client client(String address) {
    try {
      return new Client(new ManualSocket(), InetAddress.getByName(address), now);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  private Client open(String address) {
    Client client = client(address);
    assertThat(slots.open(client, now)).isEmpty();
    return client;
  }

  private List<Closing> openMore(Client client) {
    return slots.open(client, now);
  }

  private Client running(String address) {
    Client client = open(address);
    slots.enter(client, Phase.BUSY, now);
    return client;
  }

  @Test
  void a_new_connection_evicts_the_one_that_has_not_sent_its_head_for_longest() {
    Client first = open("10.0.0.1");
    later(Duration.ofSeconds(2));
    open("10.0.0.2");
    open("10.0.0.3");
    running("10.0.0.4");
    Client more = client("10.0.0.5");
    assertThat(openMore(more)).containsExactly(new Closing(first, CloseReason.EVICTED));
    assertThat(slots.all()).hasSize(4).contains(more).doesNotContain(first);
  }

  @Test
  void one_that_has_just_connected_keeps_its_place_before_one_between_two_requests() {
    open("10.0.0.1");
    Client idle = running("10.0.0.2");
    slots.enter(idle, Phase.IDLE, now);
    running("10.0.0.3");
    running("10.0.0.4");
    assertThat(openMore(client("10.0.0.5")))
        .containsExactly(new Closing(idle, CloseReason.EVICTED));
  }

  @Test
  void a_slow_body_is_evicted_and_a_running_request_is_not() {
    Client slow = running("10.0.0.1");
    slots.enter(slow, Phase.BODY, now);
    for (int i = 2; i <= 4; i++) {
      running("10.0.0." + i);
    }
    later(Duration.ofSeconds(2));
    assertThat(openMore(client("10.0.0.5")))
        .containsExactly(new Closing(slow, CloseReason.EVICTED));
  }

  @Test
  void when_all_requests_run_new_connections_get_the_reserve_and_then_evict_each_other() {
    for (int i = 1; i <= 4; i++) {
      running("10.0.0." + i);
    }
    Client first = open("10.0.0.5");
    Client second = open("10.0.0.6");
    assertThat(List.of(first, second)).allMatch(Client::isReserved);
    Client third = client("10.0.0.7");
    assertThat(openMore(third)).containsExactly(new Closing(first, CloseReason.EVICTED));
    assertThat(third.isReserved()).isTrue();
    slots.enter(second, Phase.BUSY, now);
    slots.enter(third, Phase.BUSY, now);
    Client fourth = client("10.0.0.8");
    assertThat(openMore(fourth)).containsExactly(new Closing(fourth, CloseReason.REFUSED));
    assertThat(slots.all()).hasSize(6).doesNotContain(fourth);
  }

  @Test
  void one_address_evicts_its_own_and_nobody_elses() {
    open("10.0.0.9");
    Client own = open("10.0.0.1");
    open("10.0.0.1");
    open("10.0.0.1");
    assertThat(openMore(client("10.0.0.1")))
        .containsExactly(new Closing(own, CloseReason.ADDRESS_LIMIT));
  }

  @Test
  void when_all_requests_of_an_address_run_its_health_checks_get_the_reserve() {
    for (int i = 0; i < 3; i++) {
      running("10.0.0.1");
    }
    Client first = open("10.0.0.1");
    assertThat(first.isReserved()).isTrue();
    Client second = client("10.0.0.1");
    assertThat(openMore(second)).containsExactly(new Closing(first, CloseReason.ADDRESS_LIMIT));
    assertThat(second.isReserved()).isTrue();
    Client other = open("10.0.0.2");
    assertThat(other.isReserved()).as("there is room for other addresses").isFalse();
    slots.enter(second, Phase.BUSY, now);
    Client third = open("10.0.0.1");
    slots.enter(third, Phase.BUSY, now);
    Client fourth = client("10.0.0.1");
    assertThat(openMore(fourth)).containsExactly(new Closing(fourth, CloseReason.ADDRESS_LIMIT));
    slots.close(second);
    slots.close(third);
    slots.close(other);
    assertThat(open("10.0.0.2").isReserved()).isFalse();
  }

  @Test
  void one_that_does_not_take_its_answer_is_evicted_before_running_requests() {
    Client reader = running("10.0.0.1");
    for (int i = 2; i <= 4; i++) {
      running("10.0.0." + i);
    }
    slots.enter(reader, Phase.ANSWER, now);
    Client more = client("10.0.0.5");
    assertThat(openMore(more)).containsExactly(new Closing(reader, CloseReason.EVICTED));
    assertThat(more.isReserved()).isFalse();
  }

  @Test
  void a_scan_sees_who_does_not_take_its_answer() {
    var time = new ManualTime(Instant.EPOCH);
    var connections = new Connections(LIMITS, time);
    Client client = client("10.0.0.1");
    var socket = (ManualSocket) client.socket();
    connections.opened(client);
    connections.begin(client, new RequestBody(0));
    socket.pending = true;
    for (int i = 0; i < 7; i++) {
      connections.scan();
      time.advance(Duration.ofMillis(250));
    }
    assertThat(client.phase()).isEqualTo(Phase.ANSWER);
    assertThat(connections.view().open()).containsEntry("answer", 1).containsEntry("busy", 0);
    socket.pending = false;
    connections.scan();
    assertThat(client.phase()).isEqualTo(Phase.BUSY);
  }

  @Test
  void a_network_of_ipv6_counts_as_one_address() {
    Client own = open("2001:db8::1");
    open("2001:db8::2");
    open("2001:db8::3:4");
    assertThat(openMore(client("2001:db8::5")))
        .containsExactly(new Closing(own, CloseReason.ADDRESS_LIMIT));
    assertThat(openMore(client("2001:db8:0:1::1"))).isEmpty();
  }

  @Test
  void there_are_never_more_connections_than_file_descriptors() {
    assertThat(LIMITS.within(20_000)).isEqualTo(LIMITS);
    var many = new ConnectionLimits(
        5_000, 1_000, 64, LIMITS.idle(), LIMITS.head(), LIMITS.body(), LIMITS.answer(), 1024, 1024);
    assertThat(many.within(1_024).connections()).isEqualTo(1_024 - 512 - 64);
    assertThat(many.within(100).connections()).isEqualTo(16);
  }

  @Test
  void places_that_were_left_are_free_and_leaving_twice_changes_nothing() {
    Client client = running("10.0.0.1");
    slots.close(client);
    slots.close(client);
    slots.enter(client, Phase.IDLE, now);
    assertThat(slots.all()).isEmpty();
    assertThat(slots.counts().values()).containsOnly(0);
    assertThat(client.phase()).isEqualTo(Phase.CLOSED);
  }

  @Test
  void a_head_is_overdue_from_the_connect_or_from_its_first_byte() {
    Client client = open("10.0.0.1");
    later(Duration.ofSeconds(10));
    assertThat(client.overdue(LIMITS, now)).isEmpty();
    assertThat(client.overdue(LIMITS, now + 1)).contains(CloseReason.HEAD_TIMEOUT);
    slots.enter(client, Phase.IDLE, now);
    later(Duration.ofSeconds(30));
    assertThat(client.overdue(LIMITS, now)).isEmpty();
    client.received(now);
    later(Duration.ofSeconds(5));
    client.received(now);
    later(Duration.ofSeconds(6));
    assertThat(client.overdue(LIMITS, now)).contains(CloseReason.HEAD_TIMEOUT);
  }

  @Test
  void a_reader_is_too_slow_when_a_blocked_write_does_not_get_on() {
    Client client = running("10.0.0.1");
    var socket = (ManualSocket) client.socket();
    socket.pending = true;
    assertThat(client.overdue(LIMITS, now)).isEmpty();
    later(Duration.ofSeconds(6));
    socket.out += 7_000;
    assertThat(client.overdue(LIMITS, now)).isEmpty();
    later(Duration.ofSeconds(2));
    socket.out += 100;
    assertThat(client.overdue(LIMITS, now)).contains(CloseReason.SLOW_READER);
    socket.pending = false;
    assertThat(client.overdue(LIMITS, now)).isEmpty();
    socket.pending = true;
    assertThat(client.overdue(LIMITS, now)).isEmpty();
  }

  @Test
  void only_the_time_in_which_the_server_waits_counts_for_the_rate_of_a_body() {
    var body = new RequestBody(now);
    later(Duration.ofSeconds(30));
    assertThat(body.failing(LIMITS, now)).isEmpty();
    body.await(() -> {}, now);
    later(Duration.ofSeconds(5));
    assertThat(body.failing(LIMITS, now)).isEmpty();
    later(Duration.ofSeconds(1));
    assertThat(body.failing(LIMITS, now)).contains(CloseReason.SLOW_BODY);
    body.count(6_200);
    assertThat(body.failing(LIMITS, now)).isEmpty();
    later(Duration.ofSeconds(30));
    body.count(1_000_000);
    assertThat(body.failing(LIMITS, now)).contains(CloseReason.BODY_TIMEOUT);
  }

  @Test
  void a_body_that_failed_wakes_its_reader_once() {
    var body = new RequestBody(now);
    var woken = new java.util.concurrent.atomic.AtomicInteger();
    body.await(woken::incrementAndGet, now);
    body.fail(CloseReason.SLOW_BODY);
    body.fail(CloseReason.BODY_TIMEOUT);
    body.arrived(now);
    assertThat(woken).hasValue(1);
    assertThat(body.failure()).isEqualTo(Optional.of(CloseReason.SLOW_BODY));
  }

  /** Each piece ends a wait; without adding up the waits, a body sent in pieces would never be slow. */
  @Test
  void a_body_that_trickles_is_as_old_as_all_its_waits_together() {
    var time = new ManualTime(Instant.EPOCH);
    var connections = new Connections(LIMITS, time);
    Client slow = client("10.0.0.1");
    var body = new RequestBody(time.nanos());
    connections.opened(slow);
    connections.begin(slow, body);
    for (int i = 2; i <= 4; i++) {
      Client running = client("10.0.0." + i);
      connections.opened(running);
      connections.begin(running, new RequestBody(time.nanos()));
    }
    for (int i = 0; i < 3; i++) {
      connections.waits(slow, body, () -> {});
      time.advance(Duration.ofMillis(500));
      connections.arrived(slow, body);
    }
    connections.waits(slow, body, () -> {});
    Client more = client("10.0.0.5");
    connections.opened(more);
    assertThat(((ManualSocket) slow.socket()).closed).contains(CloseReason.EVICTED);
    assertThat(more.isReserved()).isFalse();
  }

  @Test
  void a_handler_that_takes_its_time_makes_no_body_older() {
    var time = new ManualTime(Instant.EPOCH);
    var connections = new Connections(LIMITS, time);
    Client uploading = client("10.0.0.1");
    var body = new RequestBody(time.nanos());
    connections.opened(uploading);
    connections.begin(uploading, body);
    for (int i = 2; i <= 4; i++) {
      Client running = client("10.0.0." + i);
      connections.opened(running);
      connections.begin(running, new RequestBody(time.nanos()));
    }
    for (int i = 0; i < 10; i++) {
      connections.waits(uploading, body, () -> {});
      connections.arrived(uploading, body);
      time.advance(Duration.ofMillis(500));
    }
    connections.waits(uploading, body, () -> {});
    connections.opened(client("10.0.0.5"));
    assertThat(((ManualSocket) uploading.socket()).closed).isEmpty();
  }

  @Test
  void no_address_takes_more_than_a_part_of_the_reserve() {
    var wide = new ConnectionSlots(new ConnectionLimits(
        20, 3, 16, LIMITS.idle(), LIMITS.head(), LIMITS.body(), LIMITS.answer(), 1024, 1024));
    for (int i = 0; i < 3 + 2; i++) {
      Client client = client("10.0.0.1");
      assertThat(wide.open(client, now)).isEmpty();
      assertThat(client.isReserved()).isEqualTo(i >= 3);
      wide.enter(client, Phase.BUSY, now);
    }
    Client beyond = client("10.0.0.1");
    assertThat(wide.open(beyond, now))
        .containsExactly(new Closing(beyond, CloseReason.ADDRESS_LIMIT));
    for (int i = 0; i < 17; i++) {
      wide.enter(openIn(wide, "10.0.1." + i), Phase.BUSY, now);
    }
    Client full = client("10.0.0.1");
    assertThat(wide.open(full, now))
        .as("nor when all slots are taken")
        .containsExactly(new Closing(full, CloseReason.ADDRESS_LIMIT));
    assertThat(openIn(wide, "10.0.2.1").isReserved()).isTrue();
  }

  @Test
  void an_address_with_its_part_of_the_reserve_evicts_its_own_there() {
    var wide = new ConnectionSlots(new ConnectionLimits(
        4, 10, 16, LIMITS.idle(), LIMITS.head(), LIMITS.body(), LIMITS.answer(), 1024, 1024));
    for (int i = 0; i < 4; i++) {
      wide.enter(openIn(wide, "10.0.1." + i), Phase.BUSY, now);
    }
    Client check = openIn(wide, "10.0.2.1");
    Client first = openIn(wide, "10.0.0.1");
    openIn(wide, "10.0.0.1");
    Client third = client("10.0.0.1");
    assertThat(wide.open(third, now)).containsExactly(new Closing(first, CloseReason.EVICTED));
    assertThat(third.isReserved()).isTrue();
    assertThat(wide.all()).contains(check);
  }

  private Client openIn(ConnectionSlots there, String address) {
    Client client = client(address);
    assertThat(there.open(client, now)).isEmpty();
    return client;
  }

  /** The rest of the body is read only so that the client receives the response. */
  @Test
  void the_rest_of_a_refused_body_goes_before_connections_between_two_requests() {
    var time = new ManualTime(Instant.EPOCH);
    var connections = new Connections(LIMITS, time);
    Client idle = client("10.0.0.1");
    connections.opened(idle);
    Client refused = client("10.0.0.2");
    var body = new RequestBody(time.nanos());
    connections.opened(refused);
    connections.begin(refused, body);
    for (int i = 3; i <= 4; i++) {
      Client running = client("10.0.0." + i);
      connections.opened(running);
      connections.begin(running, new RequestBody(time.nanos()));
    }
    var answered = new RequestBody(time.nanos());
    connections.begin(idle, answered);
    connections.completed(idle, answered);
    new Exchange(connections, refused, body).discards(Duration.ofSeconds(2));
    connections.waits(refused, body, () -> {});
    time.advance(Duration.ofMillis(1_100));
    connections.opened(client("10.0.0.5"));
    assertThat(((ManualSocket) refused.socket()).closed).contains(CloseReason.EVICTED);
    assertThat(((ManualSocket) idle.socket()).closed).isEmpty();
  }

  @Test
  void the_rest_of_a_refused_body_has_a_deadline_of_its_own() {
    var body = new RequestBody(now);
    later(Duration.ofSeconds(30));
    body.discardUntil(now + Duration.ofSeconds(2).toNanos());
    body.await(() -> {}, now);
    later(Duration.ofMillis(1_900));
    assertThat(body.failing(LIMITS, now)).isEmpty();
    later(Duration.ofMillis(200));
    assertThat(body.failing(LIMITS, now)).contains(CloseReason.REFUSED_BODY);
  }
}
