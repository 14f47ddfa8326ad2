package io.belfry.server.rest;

import io.belfry.core.jobs.StaleException;
import io.belfry.core.submit.NamespaceEndedException;
import io.belfry.library.ConflictException;
import io.belfry.model.InvalidException;
import io.belfry.model.cron.CronSyntaxException;
import io.belfry.model.time.Time;
import io.belfry.server.rest.Problem.Code;
import io.belfry.store.LogLimiter;
import io.belfry.store.StoreException;
import io.belfry.store.TooLargeException;
import io.javalin.http.HttpResponseException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;

/** What is answered for what was thrown. Threading: safe. */
final class Problems {
  private static final Logger LOG = LoggerFactory.getLogger(Problems.class);

  private static final String ADMIN_ACTS =
      "An admin must act: the log of this node and the cluster status have the cause.";

  /** As many as the limiter of the log tells apart. */
  private static final int KINDS_MAX = 100;

  private final Map<String, Long> kinds = new LinkedHashMap<>();
  private long numbers;
  private final LogLimiter log = LogLimiter.everyMinute(Time.system());

  Problem of(Throwable thrown) {
    return switch (thrown) {
      case Problem known -> known;
      case InvalidException invalid -> invalid(invalid);
      case CronSyntaxException syntax ->
        Problem.at("expression", Code.INVALID, syntax.problem() + ". " + syntax.remedy());
      case StaleException stale -> Problem.of(Code.STALE, message(stale));
      case ConflictException conflict -> Problem.of(Code.CONFLICT, message(conflict));
      case NamespaceEndedException ended -> Problem.of(Code.CONFLICT, message(ended));
      case TooLargeException large -> Problem.of(Code.INVALID, message(large));
      case StoreException.Overloaded much -> Problem.of(Code.TOO_MANY, message(much));
      case StoreException refused -> engine(refused);
      case HttpResponseException refused -> unrouted(refused);
      case JacksonException misread -> misread(misread);
      default -> unexpected(thrown);
    };
  }

  /**
   * What an engine says names its servers, users and files: callers are told the kind of trouble in our own words, admins also the cause, and
   * the log has one of each kind a minute.
   */
  private Problem engine(StoreException refused) {
    var unused = log.log(
        refused.getClass().getSimpleName(),
        more -> LOG.warn("A request was not carried out: {}{}", message(refused), more));
    Code code = refused instanceof StoreException.Unknown ? Code.UNKNOWN : Code.UNAVAILABLE;
    return Problem.of(code, words(refused)).causedBy(message(refused));
  }

  private static String words(StoreException refused) {
    return switch (refused) {
      case StoreException.Unknown unused ->
        "It is not known whether this was done, because the engine did not answer in time. Read what you wanted to change before you send it"
            + " again; what has an id or a key may be sent again as it is.";
      case StoreException.Full unused ->
        "The engine has no room, so nothing was done. " + ADMIN_ACTS;
      case StoreException.Denied unused ->
        "The engine refuses the requests of this server, so nothing was done. " + ADMIN_ACTS;
      case StoreException.Damaged unused ->
        "The data of the engine is damaged, so nothing was done. " + ADMIN_ACTS;
      case StoreException.Closed unused ->
        "This node or namespace is being closed, so nothing was done. Ask again, or ask another node.";
      case StoreException.Overloaded much -> message(much);
      case StoreException.Unavailable unused ->
        "The engine does not answer, or accepts no writes, so nothing was done. Ask again later.";
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

  /** A value of the request that has another form than its reader thought of. The caller can correct it; the reader should have said where. */
  private Problem misread(JacksonException thrown) {
    var unused = log.log(
        kind(thrown),
        more -> LOG.warn(
            "A request had a value that its reader did not expect, and was refused without the name of the field.{}",
            more,
            thrown));
    return Problem.at(
        "body",
        Code.INVALID,
        "body must have the form that /openapi.json describes, but a value in it is of another kind. Correct it.");
  }

  /**
   * A fault of the server: the log has its stack once a minute, the caller a number to ask for, which is the same for the same fault. Callers who
   * find one must not fill the log with it.
   */
  private Problem unexpected(Throwable thrown) {
    String kind = kind(thrown);
    long number = number(kind);
    var unused = log.log(
        kind,
        more -> LOG.error(
            "Unexpected error while handling a request, problem {}.{}", number, more, thrown));
    return Problem.of(
        Code.BROKEN,
        "The server came upon something unexpected. Its log says more under request problem "
            + number + ".");
  }

  /** What was thrown, and where in our code: messages differ by what was sent, and libraries throw all from the same place. */
  private static String kind(Throwable thrown) {
    return thrown.getClass().getName()
        + Stream.of(thrown.getStackTrace())
            .filter(frame -> frame.getClassName().startsWith("io.belfry."))
            .findFirst()
            .map(frame -> " at " + frame)
            .orElse("");
  }

  private long number(String kind) {
    synchronized (kinds) {
      Long known = kinds.get(kind);
      if (known != null) {
        return known;
      }
      if (kinds.size() >= KINDS_MAX) {
        kinds.remove(kinds.keySet().iterator().next());
      }
      kinds.put(kind, ++numbers);
      return numbers;
    }
  }
}
