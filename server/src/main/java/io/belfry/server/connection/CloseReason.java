package io.belfry.server.connection;

import java.util.Locale;

/** The reason for which the server closed a connection or failed its request. Threading: immutable. */
enum CloseReason {
  HEAD_TIMEOUT("the head of a request did not arrive within limit.headTimeout"),
  BODY_TIMEOUT("the body of a request did not arrive within limit.bodyTimeout"),
  SLOW_BODY("the body of a request arrived more slowly than limit.bodyRate"),
  REFUSED_BODY("the rest of the body of a refused request did not arrive at once"),
  SLOW_READER("the client read its answer more slowly than limit.answerRate"),
  ANSWER_TIMEOUT("the client did not read an answer within limit.answerTimeout"),
  EVICTED("limit.connections was reached, and this connection had waited for longest"),
  ADDRESS_LIMIT("limit.connectionsPerAddress was reached"),
  REFUSED(
      "limit.connections and limit.reservedConnections were reached, and every request was running");

  private final String text;

  CloseReason(String text) {
    this.text = text;
  }

  /** Description for logs. */
  String text() {
    return text;
  }

  /** Label value of the metric. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
