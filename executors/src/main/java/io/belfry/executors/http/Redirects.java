package io.belfry.executors.http;

import io.belfry.executors.egress.Target;
import io.belfry.executors.secret.Redaction;
import io.belfry.model.InvalidException;
import java.util.Set;
import org.eclipse.jetty.http.HttpHeader;

/**
 * Where an answer sends the caller on to. Only shapes are judged here; the next hop is looked up and checked like the first.
 *
 * <p>Threading: stateless.
 */
final class Redirects {
  private static final Set<Integer> STATUSES = Set.of(301, 302, 303, 307, 308);
  private static final Set<Integer> KEEP_METHOD = Set.of(307, 308);
  private static final int SHOWN_CHARS = 200;

  private Redirects() {}

  /** The answer names a place that must not be gone to. */
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

  static CallRequest next(CallRequest last, Answer answer, Redaction redaction) throws RefusedException {
    String address = resolved(last.target(), answer.header(HttpHeader.LOCATION).strip());
    Target place = place(address, redaction);
    boolean keeps = KEEP_METHOD.contains(answer.status())
        || (answer.status() != 303 && !last.method().equals("POST"));
    CallRequest next = (keeps ? last : last.asGet()).to(place);
    if (last.target().scheme().equals("https") && place.scheme().equals("http")) {
      throw new RefusedException("leads from https to http, where everybody can read it");
    }
    if (next.isBound() && !place.origin().equals(last.target().origin())) {
      String origin =
          redaction.isIn(address) ? redaction.clip(address, SHOWN_CHARS) : place.origin();
      throw new RefusedException("leads to another origin (" + origin
          + "), and a secret of the call is bound to the one that the job names");
    }
    return next;
  }

  private static String resolved(Target from, String location) throws RefusedException {
    try {
      return from.uri().resolve(location).toString();
    } catch (IllegalArgumentException e) {
      throw new RefusedException("cannot be followed, because its Location is not a URL");
    }
  }

  /** A refusal quotes the address cut and in lower case, in which a secret is not found any more. */
  private static Target place(String address, Redaction redaction) throws RefusedException {
    try {
      return Target.parse("Location", address);
    } catch (InvalidException e) {
      throw new RefusedException(
          redaction.isIn(address)
              ? "cannot be followed, because its Location is not a URL that may be called: "
                  + redaction.clip(address, SHOWN_CHARS)
              : "cannot be followed: " + e.getMessage());
    }
  }
}
