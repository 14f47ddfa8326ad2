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
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way to its answer, over as many attempts as it may take.
 *
 * <pre>
 *   attempt ──▶ answered                                   done
 *      ▲  ├──▶ never left: refused, no handshake in time ─▶ next member ─┐
 *      │  ├──▶ etcd has too many requests ──────────────▶ a pause ──────┤
 *      │  ├──▶ token stale ─────────────────────────────▶ a new token ──┤ until the deadline
 *      │  └──▶ left, no answer ── FREELY ───────────────▶ next member ──┤
 *      │                       └─ IF_NOT_SENT: unknown, done             │
 *      └────────────────────────────────────────────────────────────────┘
 * </pre>
 *
 * <p>Every way out completes the answer: an exception of gRPC's or ours, a call that ends before it began, and, should all else fail, the look
 * of {@link Calls} at what is past its deadline.
 *
 * <p>Threading: one attempt at a time; each is confined to its call's callbacks, but for its cancellation, which comes from any thread.
 */
final class EtcdCall<Q, A> {
  static final Metadata.Key<String> TOKEN =
      Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);
  private static final int TOKENS_MAX = 3;
  /** Each member is tried so often when no TLS connection comes about, which seldom mends itself. */
  private static final int TLS_ROUNDS_MAX = 2;
  /** By then gRPC has announced the end of a call that ran into its deadline. */
  private static final Duration OVERDUE = Duration.ofMillis(500);

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

  EtcdCall(
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

  /** Never throws: whatever goes wrong completes the answer. */
  void attempt() {
    try {
      attemptOrThrow();
    } catch (RuntimeException | Error e) {
      broke(e);
    }
  }

  private void attemptOrThrow() {
    CompletableFuture<String> token = tokens.current();
    if (token.isDone() && !token.isCompletedExceptionally()) {
      begin(token.getNow(Tokens.NONE));
    } else {
      var unused = token.whenComplete((got, failure) -> {
        if (failure != null) {
          withoutToken(Calls.unwrap(failure));
        } else {
          guarded(() -> begin(got));
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
    Attempt attempt;
    try {
      attempt = new Attempt(line, token);
    } catch (RuntimeException e) {
      failed(line, token, notStarted(line, e));
      return;
    }
    current = attempt;
    attempt.start();
  }

  private static Failure notStarted(Link.Line line, RuntimeException e) {
    Status status =
        Status.CANCELLED.withDescription("the call could not be started").withCause(e);
    return new Failure(Kind.NOT_SENT, status, line.member());
  }

  private void guarded(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      broke(e);
    }
  }

  /** The adapter itself failed over this request. */
  private void broke(Throwable e) {
    answer.completeExceptionally(
        maybeSent()
            ? new StoreException.Unknown(
                "The etcd adapter failed over a request (" + e
                    + "), so what became of the request is not known.",
                e)
            : new StoreException.Unavailable(
                "The etcd adapter failed before a request was sent (" + e + ").", e));
  }

  private boolean maybeSent() {
    Attempt last = current;
    return everSent || (last != null && last.sent.isSent());
  }

  /** Completes what is past its deadline although nothing announced its end. */
  void completeIfOverdue() {
    if (remainingNanos() + OVERDUE.toNanos() < 0 && !answer.isDone()) {
      Attempt last = current;
      Status status = Status.DEADLINE_EXCEEDED.withDescription("no answer by the deadline");
      String member = last == null ? calls.link().line().member() : last.line.member();
      abandon(); // before it is asked whether it was sent: from then on it is not
      giveUp(new Failure(maybeSent() ? Kind.UNKNOWN : Kind.NOT_SENT, status, member));
    }
  }

  /** The store is closed. */
  void close() {
    answer.completeExceptionally(
        maybeSent() && repeat == Repeat.IF_NOT_SENT
            ? new StoreException.Unknown(
                "The store was closed before etcd's answer came, so what became of the request is not"
                    + " known.",
                null)
            : new StoreException.Closed());
  }

  /** The answer is not waited for any longer; what may be repeated is. */
  void abandon() {
    Attempt last = current;
    if (last != null) {
      last.cancel(
          "given up while it was under way: no answer in time, or etcd elected another leader");
    }
  }

  private long remainingNanos() {
    return deadlineNanos - calls.time().nanos();
  }

  private void failed(Link.Line line, String token, Failure failure) {
    everSent |= failure.kind() == Kind.UNKNOWN;
    boolean staleToken =
        failure.kind() == Kind.UNAUTHENTICATED && tokens.needed() && ++tokensRefused < TOKENS_MAX;
    if (!staleToken) { // tokens expire every few minutes: nothing an operator wants to know
      calls.troubles().failed(failure, request);
    }
    switch (failure.kind()) {
      case NOT_SENT -> {
        if (!failure.endedHere() || !line.isConnected()) {
          calls.link().cut(line);
        }
        if (failure.isTls() && attempts >= TLS_ROUNDS_MAX * calls.link().members()) {
          giveUp(failure);
        } else {
          again(failure);
        }
      }
      case UNAUTHENTICATED -> {
        tokens.forget(token);
        if (staleToken) {
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
      case OVERLOADED -> later(failure, attempts - 1);
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
    if (attempts % calls.link().members() == 0) {
      later(failure, attempts / calls.link().members() - 1);
    } else if (remainingNanos() <= 0) {
      giveUp(failure);
    } else {
      attempt();
    }
  }

  /** @param doublings of the pause */
  private void later(Failure failure, int doublings) {
    long pause = PAUSE_MIN.toNanos() << Math.min(doublings, PAUSE_DOUBLINGS_MAX);
    if (remainingNanos() <= pause) {
      giveUp(failure);
    } else {
      var unused = calls.timer().schedule(this::attempt, pause, TimeUnit.NANOSECONDS);
    }
  }

  private void giveUp(Failure failure) {
    answer.completeExceptionally(new Failure.Thrown(failure));
  }

  private final class Attempt extends ClientCall.Listener<A> {
    private final Link.Line line;
    private final String token;
    private final SendState sent = new SendState();
    private final ClientCall<Q, A> call;
    private final AtomicBoolean ended = new AtomicBoolean();
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

    /** At any time, by any thread; also before it is started, which gRPC would not forgive. */
    void cancel(String why) {
      try {
        call.cancel(why, null);
      } catch (RuntimeException e) {
        end(Status.CANCELLED.withDescription(why).withCause(e));
      }
    }

    void start() {
      try {
        startOrThrow();
      } catch (RuntimeException e) {
        cancel("could not be started");
        end(Status.CANCELLED.withDescription("the call could not be started").withCause(e));
      }
    }

    private void startOrThrow() {
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
        calls.troubles().served(request);
      } else {
        end(status.isOk() ? Status.INTERNAL.withDescription("no answer") : status);
      }
    }

    /** Once: gRPC may announce the end of a call that we have given up already. */
    private void end(Status status) {
      if (ended.compareAndSet(false, true) && !answer.isDone()) {
        guarded(
            () -> failed(line, token, FailureTable.classify(status, sent.isSent(), line.member())));
      }
    }
  }
}
