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

  CallbackRoutes(CallbackDesk desk) {
    this.desk = desk;
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
      case UNKNOWN ->
        throw Problem.of(
            Code.NOT_FOUND, "Nobody waits at this address: the attempt is over, or never was.");
    };
  }
}
