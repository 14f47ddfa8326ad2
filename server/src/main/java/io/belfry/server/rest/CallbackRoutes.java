package io.belfry.server.rest;

import static io.belfry.server.rest.Permission.ANONYMOUS;

import io.belfry.model.Check;
import io.belfry.model.job.Payload;
import io.belfry.server.callback.CallbackRecords;
import io.belfry.server.callback.CallbackRecords.Origin;
import io.belfry.server.callback.CallbackRecords.Report;
import io.belfry.server.form.Fields;
import io.belfry.server.rest.Problem.Code;
import java.util.List;

/** Where services tell the end of what they were asked for. Threading: stateless. */
final class CallbackRoutes {
  private static final int MESSAGE_CHARS_MAX = 4096;

  private final CallbackRecords callbacks;

  private final RateLimit misses;

  /**
   * The routes.
   *
   * @param misses how often what is not there may be asked for, each of which costs a look into the store: by the callback address, so that
   *     nobody keeps others from telling theirs; by the client's address where the callback address is not signed
   */
  CallbackRoutes(CallbackRecords callbacks, RateLimit misses) {
    this.callbacks = callbacks;
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

  /** Who has no address of ours is refused before the body is read, which anybody could send. */
  private Answer tell(Call call) {
    String token = call.path("token");
    Origin origin = callbacks.origin(token);
    if (origin == Origin.FOREIGN) {
      throw unknown();
    }
    String counted = origin == Origin.SIGNED ? token : ClientAddresses.bucket(call.from());
    if (!misses.has(counted)) {
      throw Problem.later(
          Code.TOO_MANY,
          "Too many reports came where nobody waits (limit.loginRate). Wait, and check the addresses.",
          misses.secondsEach());
    }
    if (origin == Origin.UNSIGNED && !callbacks.isKnown(token)) {
      var unused = misses.take(counted);
      throw unknown();
    }
    call.paidBy(token);
    Fields fields = Fields.of(call.body());
    Status status = fields
        .word("status", Status.class)
        .orElseThrow(() -> fields.missing("status", "it says how the work ended"));
    boolean succeeded = status == Status.SUCCEEDED;
    String message = Check.atMost("message", fields.text("message").orElse(""), MESSAGE_CHARS_MAX);
    var told = new Report(
        succeeded,
        fields.whole("code").orElse(succeeded ? 0 : 1),
        message,
        fields.any("data").map(node -> Payload.json(node.toString()).text()));
    fields.end();
    return switch (callbacks.report(token, told)) {
      case ACCEPTED -> Answer.nothing(204);
      case ALREADY_REPORTED ->
        throw Problem.of(
            Code.CONFLICT, "The end of this attempt was told before; what was told first counts.");
      case UNKNOWN -> {
        var unused = misses.take(counted);
        throw unknown();
      }
    };
  }

  private static Problem unknown() {
    return Problem.of(
        Code.NOT_FOUND, "Nobody waits at this address: the attempt is over, or never was.");
  }
}
