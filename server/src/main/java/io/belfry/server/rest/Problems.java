package io.belfry.server.rest;

import io.belfry.core.jobs.StaleException;
import io.belfry.library.ConflictException;
import io.belfry.model.InvalidException;
import io.belfry.model.cron.CronSyntaxException;
import io.belfry.server.rest.Problem.Code;
import io.belfry.store.StoreException;
import io.belfry.store.TooLargeException;
import io.javalin.http.HttpResponseException;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is answered for what was thrown. Threading: safe. */
final class Problems {
  private static final Logger LOG = LoggerFactory.getLogger(Problems.class);

  private final AtomicLong broken = new AtomicLong();

  Problem of(Throwable thrown) {
    return switch (thrown) {
      case Problem known -> known;
      case InvalidException invalid -> invalid(invalid);
      case CronSyntaxException syntax ->
        Problem.at("expression", Code.INVALID, syntax.problem() + ". " + syntax.remedy());
      case StaleException stale -> Problem.of(Code.STALE, message(stale));
      case ConflictException conflict -> Problem.of(Code.CONFLICT, message(conflict));
      case TooLargeException large -> Problem.of(Code.INVALID, message(large));
      case StoreException.Unknown unknown -> Problem.of(Code.UNKNOWN, message(unknown));
      case StoreException.Overloaded much -> Problem.of(Code.TOO_MANY, message(much));
      case StoreException away -> Problem.of(Code.UNAVAILABLE, message(away));
      case HttpResponseException refused -> unrouted(refused);
      default -> unexpected(thrown);
    };
  }

  /** What no route took. */
  private static Problem unrouted(HttpResponseException refused) {
    return switch (refused.getStatus()) {
      case 404 ->
        Problem.of(Code.NOT_FOUND, "There is nothing at this address. See /openapi.json.");
      case 405 ->
        Problem.of(
            Code.NOT_ALLOWED,
            "This address does not know the method of the request. See /openapi.json.");
      case 413 ->
        Problem.of(Code.TOO_LARGE, "The body is larger than limit.body. Send less at once.");
      default -> Problem.of(Code.INVALID, "The request cannot be read. Check its form.");
    };
  }

  private static Problem invalid(InvalidException e) {
    return Problem.at(e.field(), Code.INVALID, message(e));
  }

  private static String message(Throwable e) {
    return String.valueOf(e.getMessage());
  }

  /** Our own mistake: the log has it all, the caller a number to ask for. */
  private Problem unexpected(Throwable thrown) {
    long number = broken.incrementAndGet();
    LOG.error("Request problem {}: something that must not be was thrown.", number, thrown);
    return Problem.of(
        Code.BROKEN,
        "The server came upon something unexpected. Its log says more under request problem "
            + number + ".");
  }
}
