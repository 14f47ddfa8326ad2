package io.belfry.tests.witness;

import io.belfry.tests.cluster.Rest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Submits over REST, at any server that runs. Threading: confined to one client. */
final class RestCounter implements Counter {
  private final ServerDesk desk;
  private final List<String> names;
  private final RandomGenerator random;

  RestCounter(ServerDesk desk, List<String> names, RandomGenerator random) {
    this.desk = desk;
    this.names = names;
    this.random = random;
  }

  @Override
  public Reply submit(Order order, Instant due) {
    String task = """
        {"executor": {"type": "local", "handler": "ledger"}, "timeout": "30s", "at": "%s", "payload": %s}
        """.formatted(due, order.payload());
    return ask("/tasks", task, "Idempotency-Key", order.key());
  }

  @Override
  public Reply cancel(String task) {
    return ask("/tasks/" + task + "/cancel", "");
  }

  private Reply ask(String path, String body, String... headers) {
    Optional<String> url = desk.url(names.get(random.nextInt(names.size())));
    if (url.isEmpty()) {
      return Reply.FAIL;
    }
    Rest.Reply reply = desk.rest().post(url.get() + ServerDesk.NS + path, body, headers);
    return new Reply(
        answer(reply),
        Optional.of(reply.body().path("id").asString("")).filter(id -> reply.isFine()));
  }

  /** A refusal is one only if the server says so, and says that it knows. */
  static Call.Answer answer(Rest.Reply reply) {
    if (reply.isFine()) {
      return Call.Answer.OK;
    }
    boolean said = reply.status() / 100 == 4
        || (reply.status() == 503 && !reply.body().path("code").asString("").equals("unknown"));
    return said ? Call.Answer.FAIL : Call.Answer.UNKNOWN;
  }
}
