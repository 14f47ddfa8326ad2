package io.belfry.executors.http;

import io.belfry.core.execute.AttemptContext;
import io.belfry.core.execute.AttemptException;
import io.belfry.executors.egress.CheckedAddresses;
import io.belfry.executors.egress.Deadline;
import io.belfry.executors.egress.Egress;
import io.belfry.executors.secret.Redaction;
import io.belfry.model.Durations;
import io.belfry.model.time.Time;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.client.Request;

/**
 * The HTTP exchanges of one attempt: the call and its redirects. One timeout applies to all of them together.
 *
 * <p>Threading: confined to the attempt's thread.
 */
final class Call {
  private final Outbound outbound;
  private final Egress egress;
  private final Time time;
  private final AttemptContext attempt;
  private final HttpPlan plan;
  private final Redaction redaction;

  Call(
      Outbound outbound,
      Egress egress,
      Time time,
      AttemptContext attempt,
      HttpPlan plan,
      Redaction redaction) {
    this.outbound = outbound;
    this.egress = egress;
    this.time = time;
    this.attempt = attempt;
    this.plan = plan;
    this.redaction = redaction;
  }

  /**
   * Sends the request and follows redirects. Returns the final response.
   *
   * @throws Redirects.RefusedException if a redirect must not be followed
   */
  Answer answer(CallRequest first)
      throws CallException, Redirects.RefusedException, AttemptException, InterruptedException {
    var until = Deadline.after(time, limit());
    CallRequest message = first;
    Answer answer = send(message, until);
    for (int hop = 0; plan.redirects() > 0 && Redirects.isOne(answer); hop++) {
      if (hop == plan.redirects()) {
        throw new Redirects.RefusedException(
            "exceeds the limit of executor.redirects (" + hop + ")");
      }
      message = Redirects.next(message, answer, redaction);
      answer = send(message, until);
    }
    return answer;
  }

  private Duration limit() {
    Duration whole = attempt.timeout();
    return plan.timeout().filter(own -> own.compareTo(whole) < 0).orElse(whole);
  }

  private Answer send(CallRequest message, Deadline until)
      throws CallException, AttemptException, InterruptedException {
    CheckedAddresses checked = check(message, until);
    Request request = outbound.request(message.target(), checked);
    message.putInto(request);
    if (until.isOver()) {
      throw notSent();
    }
    say("→ " + message);
    long began = time.nanos();
    Answer answer = Exchange.carryOut(request, until.left(), limit(), redaction);
    long millis = Duration.ofNanos(time.nanos() - began).toMillis();
    say("← " + answer.status() + " in " + millis + " ms, " + (answer.isCut() ? "more than " : "")
        + answer.body().length + " bytes");
    return answer;
  }

  private CheckedAddresses check(CallRequest message, Deadline until)
      throws CallException, AttemptException, InterruptedException {
    try {
      return egress.check(HttpPlan.URL_FIELD, message.target(), until);
    } catch (TimeoutException e) {
      throw notSent();
    } catch (UnknownHostException e) {
      throw new CallException(
          CallFailure.CONNECT,
          "could not connect: the host name " + message.target().host() + " could not be resolved");
    }
  }

  private CallException notSent() {
    return new CallException(
        CallFailure.TIMEOUT,
        "was not sent, because resolving its host, including redirects, did not finish within "
            + Durations.show(limit()));
  }

  private void say(String line) {
    attempt.log(redaction.apply(line));
  }
}
