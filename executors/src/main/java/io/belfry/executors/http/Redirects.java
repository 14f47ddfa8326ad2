package io.belfry.executors.http;

import io.belfry.executors.egress.Target;
import io.belfry.executors.secret.Redaction;
import io.belfry.model.InvalidException;
import java.util.Set;
import org.eclipse.jetty.http.HttpHeader;

/**
 * Computes the next request of a redirect. The egress rules check its target like the first one.
 *
 * <p>Threading: stateless.
 */
final class Redirects {
  private static final Set<Integer> STATUSES = Set.of(301, 302, 303, 307, 308);
  private static final Set<Integer> KEEP_METHOD = Set.of(307, 308);
  private static final int SHOWN_CHARS = 200;

  private Redirects() {}

  /** A redirect must not be followed. */
  static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1;

    RefusedException(String why) {
      super(why);
    }
  }

  static boolean isOne(Answer answer) {
    return STATUSES.contains(answer.status())
        && !answer.header(HttpHeader.LOCATION).isBlank();
  }

  static CallRequest next(CallRequest last, Answer answer, Redaction redaction)
      throws RefusedException {
    String address = resolved(last.target(), answer.header(HttpHeader.LOCATION).strip());
    Target place = place(address, redaction);
    boolean keeps = KEEP_METHOD.contains(answer.status())
        || (answer.status() != 303 && !last.method().equals("POST"));
    CallRequest next = (keeps ? last : last.asGet()).to(place);
    if (last.target().scheme().equals("https") && place.scheme().equals("http")) {
      throw new RefusedException("goes from https to http, which is not encrypted");
    }
    if (next.isBound() && !place.origin().equals(last.target().origin())) {
      String origin =
          redaction.isIn(address) ? redaction.clip(address, SHOWN_CHARS) : place.origin();
      throw new RefusedException("goes to another origin (" + origin
          + "), and the call carries a credential that is bound to the origin in the job");
    }
    return next;
  }

  private static String resolved(Target from, String location) throws RefusedException {
    try {
      return from.uri().resolve(location).toString();
    } catch (IllegalArgumentException e) {
      throw new RefusedException("has an invalid Location, which is not a URL");
    }
  }

  /** Replaces the message of a refusal if the Location contains a secret: the message quotes it shortened, where redaction would miss it. */
  private static Target place(String address, Redaction redaction) throws RefusedException {
    try {
      return Target.parse("Location", address);
    } catch (InvalidException e) {
      throw new RefusedException(
          redaction.isIn(address)
              ? "has an invalid Location: " + redaction.clip(address, SHOWN_CHARS)
              : "has an invalid Location: " + e.getMessage());
    }
  }
}
