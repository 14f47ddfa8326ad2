package io.belfry.executors.http;

import io.belfry.executors.egress.Target;
import io.belfry.executors.secret.Redaction;
import io.belfry.model.InvalidException;
import java.net.URI;
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

  static Message next(Message last, Answer answer, Redaction redaction) throws RefusedException {
    Target place = place(last.target(), answer.header(HttpHeader.LOCATION).strip());
    boolean keeps = KEEP_METHOD.contains(answer.status())
        || (answer.status() != 303 && !last.method().equals("POST"));
    Message next = (keeps ? last : last.asGet()).to(place);
    if (last.target().scheme().equals("https") && place.scheme().equals("http")) {
      throw new RefusedException("leads from https to http, where everybody can read it");
    }
    boolean elsewhere = !place.origin().equals(last.target().origin());
    if (elsewhere && (next.hasCredential() || redaction.isIn(place.toString()))) {
      throw new RefusedException("leads to another origin (" + place.origin()
          + "), and a secret of the call is bound to the one that the job names");
    }
    return next;
  }

  private static Target place(Target from, String location) throws RefusedException {
    try {
      URI resolved = from.uri().resolve(location);
      return Target.parse("Location", resolved.toString());
    } catch (InvalidException e) {
      throw new RefusedException("cannot be followed: " + e.getMessage());
    } catch (IllegalArgumentException e) {
      throw new RefusedException("cannot be followed, because its Location is not a URL");
    }
  }
}
