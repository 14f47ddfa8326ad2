package io.belfry.store.etcd;

import io.belfry.store.StoreException;
import io.belfry.store.etcd.Calls.Repeat;
import io.belfry.store.etcd.Failure.Kind;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ConnectivityState;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way to its answer, over as many attempts as it may take.
 *
 * <pre>
 *   attempt ──▶ answered                                   done
 *      ▲  ├──▶ never left: refused, no handshake in time ─▶ next member ─┐
 *      │  ├──▶ token stale ─────────────────────────────▶ a new token ──┤ until the deadline
 *      │  └──▶ left, no answer ── FREELY ───────────────▶ next member ──┤
 *      │                       └─ IF_NOT_SENT: unknown, done             │
 *      └────────────────────────────────────────────────────────────────┘
 * </pre>
 *
 * <p>Threading: one attempt at a time; each is confined to its call's callbacks.
 */
final class Ask<Q, A> {
  static final Metadata.Key<String> TOKEN =
      Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);
  private static final int TOKENS_MAX = 3;
  private static final Duration PAUSE_MIN = Duration.ofMillis(50);
  private static final int PAUSE_DOUBLINGS_MAX = 4;

  private final Calls calls;
  private final MethodDescriptor<Q, A> method;
  private final Q request;
  private final Repeat repeat;
  private final Tokens tokens;
  private final long deadlineNanos;
  private final CompletableFuture<A> answer = new CompletableFuture<>();
  private volatile @Nullable Attempt current;
  private volatile boolean everSent;
  private int attempts;
  private int tokensRefused;

  Ask(
      Calls calls,
      MethodDescriptor<Q, A> method,
      Q request,
      Repeat repeat,
      Tokens tokens,
      Duration patience) {
    this.calls = calls;
    this.method = method;
    this.request = request;
    this.repeat = repeat;
    this.tokens = tokens;
    this.deadlineNanos = calls.time().nanos() + patience.toNanos();
  }

  CompletableFuture<A> answer() {
    return answer;
  }

  void attempt() {
    CompletableFuture<String> token = tokens.current();
    if (token.isDone() && !token.isCompletedExceptionally()) {
      begin(token.getNow(Tokens.NONE));
    } else {
      var unused = token.whenComplete((got, failure) -> {
        if (failure != null) {
          withoutToken(Calls.unwrap(failure));
        } else {
          begin(got);
        }
      });
    }
  }

  /** Whatever became of the request for a token, ours has not left. */
  private void withoutToken(Throwable problem) {
    answer.completeExceptionally(
        problem instanceof Failure.Thrown thrown && thrown.failure().kind() == Kind.UNKNOWN
            ? new Failure.Thrown(new Failure(
                Kind.NOT_SENT, thrown.failure().status(), thrown.failure().member()))
            : problem);
  }

  private void begin(String token) {
    if (answer.isDone()) {
      return;
    }
    attempts++;
    Link.Line line = calls.link().line();
    var attempt = new Attempt(line, token);
    current = attempt;
    attempt.start();
  }

  /** The store is closed. */
  void close() {
    Attempt last = current;
    boolean left = everSent || (last != null && last.sent.isSent());
    answer.completeExceptionally(
        left && repeat == Repeat.IF_NOT_SENT
            ? new StoreException.Unknown(
                "The store was closed before etcd's answer came, so what became of the request is not"
                    + " known.",
                null)
            : new StoreException.Closed());
  }

  /** The answer is not waited for any longer; what may be repeated is. */
  void abandon() {
    Attempt last = current;
    if (last != null && !answer.isDone()) {
      last.cancel("etcd elected another leader while it was under way");
    }
  }

  private long remainingNanos() {
    return deadlineNanos - calls.time().nanos();
  }

  private void failed(Link.Line line, String token, Failure failure) {
    everSent |= failure.kind() == Kind.UNKNOWN;
    switch (failure.kind()) {
      case NOT_SENT -> {
        calls.link().cut(line);
        again(failure);
      }
      case UNAUTHENTICATED -> {
        tokens.forget(token);
        if (tokens.needed() && ++tokensRefused < TOKENS_MAX) {
          again(failure);
        } else {
          giveUp(failure);
        }
      }
      case UNKNOWN -> {
        leave(line, failure);
        if (repeat == Repeat.FREELY) {
          again(failure);
        } else {
          giveUp(failure);
        }
      }
      default -> giveUp(failure);
    }
  }

  /** A deadline says nothing about the line: the probe finds out. */
  private void leave(Link.Line line, Failure failure) {
    if (failure.answered()) {
      calls.link().leave(line);
    } else if (failure.status().getCode() == Status.Code.UNAVAILABLE) {
      calls.link().cut(line);
    }
  }

  /** At once while there are members not yet tried, then with pauses that grow. */
  private void again(Failure failure) {
    int rounds = attempts / calls.link().members();
    boolean allTried = attempts % calls.link().members() == 0;
    long pause = allTried ? PAUSE_MIN.toNanos() << Math.min(rounds - 1, PAUSE_DOUBLINGS_MAX) : 0;
    if (remainingNanos() <= pause) {
      giveUp(failure);
    } else if (allTried) {
      var unused = calls.timer().schedule(this::attempt, pause, TimeUnit.NANOSECONDS);
    } else {
      attempt();
    }
  }

  private void giveUp(Failure failure) {
    answer.completeExceptionally(new Failure.Thrown(failure));
  }

  private final class Attempt extends ClientCall.Listener<A> {
    private final Link.Line line;
    private final String token;
    private final Sent sent = new Sent();
    private final ClientCall<Q, A> call;
    private @Nullable A message;

    Attempt(Link.Line line, String token) {
      this.line = line;
      this.token = token;
      this.call = line.channel()
          .newCall(
              method,
              CallOptions.DEFAULT
                  .withDeadlineAfter(Math.max(1, patienceNanos()), TimeUnit.NANOSECONDS)
                  .withStreamTracerFactory(sent));
    }

    void cancel(String why) {
      call.cancel(why, null);
    }

    void start() {
      boolean ready = line.channel().getState(false) == ConnectivityState.READY;
      var headers = new Metadata();
      if (!token.isEmpty()) {
        headers.put(TOKEN, token);
      }
      call.start(this, headers);
      call.request(2);
      call.sendMessage(request);
      call.halfClose();
      if (!ready) {
        giveUpUnlessConnected();
      }
    }

    /** What may be repeated leaves time for another member. */
    private long patienceNanos() {
      long remaining = remainingNanos();
      return repeat == Repeat.FREELY && calls.link().members() > 1
          ? Math.min(remaining, calls.timeouts().request().toNanos() / 2)
          : remaining;
    }

    private void giveUpUnlessConnected() {
      Duration patience = calls.connectPatience();
      var unused = calls
          .timer()
          .schedule(
              () -> {
                if (!sent.isSent()) {
                  cancel("no connection within " + patience);
                }
              },
              patience.toNanos(),
              TimeUnit.NANOSECONDS);
    }

    @Override
    public void onMessage(A got) {
      message = got;
      calls.answered();
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      A got = message;
      if (status.isOk() && got != null) {
        answer.complete(got);
      } else if (!answer.isDone()) {
        Status why = status.isOk() ? Status.INTERNAL.withDescription("no answer") : status;
        failed(line, token, FailureTable.classify(why, sent.isSent(), line.member()));
      }
    }
  }
}
