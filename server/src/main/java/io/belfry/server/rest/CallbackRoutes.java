package io.belfry.server.rest;

import static io.belfry.server.rest.Permission.ANONYMOUS;

import io.belfry.model.Check;
import io.belfry.model.job.Payload;
import io.belfry.server.callback.CallbackDesk;
import io.belfry.server.callback.CallbackDesk.Told;
import io.belfry.server.form.Fields;
import io.belfry.server.rest.Problem.Code;
import java.util.List;

/** Where services tell the end of what they were asked for. Threading: stateless. */
final class CallbackRoutes {
  private static final int MESSAGE_CHARS_MAX = 4096;

  private final CallbackDesk desk;

  private final RateLimit misses;

  /**
   * The routes.
   *
   * @param misses how often an address may ask for what is not there, each of which costs a look into the store
   */
  CallbackRoutes(CallbackDesk desk, RateLimit misses) {
    this.desk = desk;
    this.misses = misses;
  }

  List<Route> all() {
    return List.of(Route.post("complete", "/api/v1/callbacks/{token}", ANONYMOUS, this::tell)
        .often());
  }

  private enum Status {
    SUCCEEDED,
    FAILED
  }

  private Answer tell(Call call) {
    if (!misses.has(call.from())) {
      throw Problem.later(
          Code.TOO_MANY,
          "This address has reported too often where nobody waits (limit.loginRate). Wait, and check the addresses.",
          misses.secondsEach());
    }
    Fields fields = Fields.of(call.body());
    Status status = fields
        .word("status", Status.class)
        .orElseThrow(() -> fields.missing("status", "it says how the work ended"));
    boolean succeeded = status == Status.SUCCEEDED;
    String message = Check.atMost("message", fields.text("message").orElse(""), MESSAGE_CHARS_MAX);
    var told = new Told(
        succeeded,
        fields.whole("code").orElse(succeeded ? 0 : 1),
        message,
        fields.any("data").map(node -> Payload.json(node.toString()).text()));
    fields.end();
    return switch (desk.tell(call.path("token"), told)) {
      case TAKEN -> Answer.nothing(204);
      case TOLD_BEFORE ->
        throw Problem.of(
            Code.CONFLICT, "The end of this attempt was told before; what was told first counts.");
      case UNKNOWN -> {
        var unused = misses.take(call.from());
        throw Problem.of(
            Code.NOT_FOUND, "Nobody waits at this address: the attempt is over, or never was.");
      }
    };
  }
}
