package io.belfry.server.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.server.connection.Client.Phase;
import java.net.InetAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How long a client may take to read an answer. */
class AnswerTimeTest {
  private static final Duration ANSWER = Duration.ofSeconds(60);
  private static final ConnectionLimits LIMITS =
      new ConnectionLimits(4, 3, 2, ANSWER, Duration.ofSeconds(10), ANSWER, ANSWER, 1024, 1024);

  @Test
  void an_answer_must_be_read_in_time_however_fast_it_is_read_and_the_next_one_has_its_own_time() {
    long now = 1;
    var client = new Client(new ManualSocket(), InetAddress.getLoopbackAddress(), now);
    client.enter(Phase.BUSY, now);
    var first = new RequestBody(now);
    client.request(first);
    client.answers(first, now);
    now += ANSWER.toNanos();
    assertThat(client.overdue(LIMITS, now)).isEmpty();
    assertThat(client.overdue(LIMITS, now + 1)).contains(CloseReason.ANSWER_TIMEOUT);
    client.request(new RequestBody(now));
    assertThat(client.overdue(LIMITS, now + 1)).isEmpty();
  }
}
