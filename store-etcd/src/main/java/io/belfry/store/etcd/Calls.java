package io.belfry.store.etcd;

import io.belfry.model.time.Time;
import io.belfry.store.LogLimiter;
import io.belfry.store.StoreException;
import io.belfry.store.etcd.EtcdSettings.Credentials;
import io.belfry.store.etcd.proto.AuthGrpc;
import io.belfry.store.etcd.proto.AuthenticateRequest;
import io.belfry.store.etcd.proto.AuthenticateResponse;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request, one answer, before a deadline, from whichever member gives it. Fails with {@link Failure.Thrown}, or with
 * {@link StoreException.Closed}.
 *
 * <p>Threading: safe. Answers arrive on gRPC's threads.
 */
final class Calls implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Calls.class);

  private static final Duration LOOK = Duration.ofMillis(250);

  /** Whether a request may be sent again when it is not known what became of it. */
  enum Repeat {
    /** It changes nothing, or twice is the same as once. */
    FREELY,
    /** Only when it certainly was not carried out. */
    IF_NOT_SENT
  }

  private final Link link;
  private final Time time;
  private final ScheduledExecutorService timer;
  private final EtcdSettings.Timeouts timeouts;
  private final Tokens tokens;
  private final EngineTroubleLog troubles;
  private final ScheduledFuture<?> looking;
  private final Set<EtcdCall<?, ?>> underWay = ConcurrentHashMap.newKeySet();
  private volatile boolean answered;
  private volatile boolean closed;

  Calls(
      Link link,
      Time time,
      ScheduledExecutorService timer,
      EtcdSettings.Timeouts timeouts,
      Optional<Credentials> credentials,
      LogLimiter limiter) {
    this.link = link;
    this.time = time;
    this.timer = timer;
    this.timeouts = timeouts;
    this.tokens =
        new Tokens(credentials.isPresent(), () -> authenticate(credentials.orElseThrow()));
    this.troubles = new EngineTroubleLog(
        "etcd",
        "Until then requests fail, and leases of this process end when they are not renewed in time.",
        time,
        limiter);
    this.looking = timer.scheduleWithFixedDelay(
        this::look, LOOK.toNanos(), LOOK.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Nothing may throw here: the timer would not come back. */
  private void look() {
    try {
      underWay.forEach(EtcdCall::completeIfOverdue);
      troubles.look();
    } catch (RuntimeException | Error e) {
      log.error("etcd: looking for overdue requests failed; it is done again.", e);
    }
  }

  <Q, A> CompletableFuture<A> ask(MethodDescriptor<Q, A> method, Q request, Repeat repeat) {
    return ask(method, request, repeat, timeouts.request());
  }

  <Q, A> CompletableFuture<A> ask(
      MethodDescriptor<Q, A> method, Q request, Repeat repeat, Duration patience) {
    return begin(new EtcdCall<>(this, method, request, repeat, tokens, patience));
  }

  /**
   * Until a member that does not shake hands is given up for the next. Before the first answer of any, this process still loads what it
   * needs to shake hands, which takes long on a busy machine: each member gets its share of the whole then.
   */
  Duration connectPatience() {
    Duration share = timeouts.request().dividedBy(Math.max(1, link.members()));
    return answered || share.compareTo(timeouts.connect()) < 0 ? timeouts.connect() : share;
  }

  /** A member has answered. */
  void answered() {
    if (!answered) {
      answered = true;
    }
  }

  private CompletableFuture<String> authenticate(Credentials who) {
    AuthenticateRequest request = AuthenticateRequest.newBuilder()
        .setName(who.user())
        .setPassword(who.password())
        .build();
    var anonymous = new Tokens(false, () -> CompletableFuture.completedFuture(Tokens.NONE));
    return begin(new EtcdCall<>(
            this,
            AuthGrpc.getAuthenticateMethod(),
            request,
            Repeat.FREELY,
            anonymous,
            timeouts.request()))
        .thenApply(AuthenticateResponse::getToken)
        .exceptionally(Calls::withoutTokenIfNotEnabled);
  }

  private static String withoutTokenIfNotEnabled(Throwable problem) {
    Throwable cause = unwrap(problem);
    if (cause instanceof Failure.Thrown thrown && thrown.failure().isAuthenticationOff()) {
      log.warn(
          "etcd.user is set, but this etcd has authentication switched off: anybody who reaches it may"
              + " change our data. Enable it with 'etcdctl auth enable', or remove etcd.user.");
      return Tokens.NONE;
    }
    throw cause instanceof RuntimeException known ? known : new CompletionException(cause);
  }

  private <A> CompletableFuture<A> begin(EtcdCall<?, A> ask) {
    underWay.add(ask);
    CompletableFuture<A> answer = ask.answer();
    var unused = answer.whenComplete((a, f) -> underWay.remove(ask));
    if (closed) {
      ask.close();
    } else {
      ask.attempt();
    }
    return answer;
  }

  /** Completes whatever is under way: closed where it never left, unknown where it did. */
  @Override
  public void close() {
    closed = true;
    looking.cancel(false);
    underWay.forEach(EtcdCall::close);
  }

  /**
   * etcd has a new leader. A request that a member passed on to the old one is lost as a rule, but the member says so
   * only when its own long patience ends. What is not answered within another probe is given up.
   */
  void elected() {
    List<EtcdCall<?, ?>> before = List.copyOf(underWay);
    if (!before.isEmpty()) {
      var unused = timer.schedule(
          () -> before.forEach(EtcdCall::abandon),
          timeouts.probeEvery().toNanos(),
          TimeUnit.NANOSECONDS);
    }
  }

  Link link() {
    return link;
  }

  Time time() {
    return time;
  }

  EngineTroubleLog troubles() {
    return troubles;
  }

  Tokens tokens() {
    return tokens;
  }

  ScheduledExecutorService timer() {
    return timer;
  }

  EtcdSettings.Timeouts timeouts() {
    return timeouts;
  }

  /** What callers of the store hear in the place of {@code problem}. */
  static StoreException surface(Throwable problem) {
    Throwable cause = unwrap(problem);
    if (cause instanceof Failure.Thrown thrown) {
      return thrown.failure().asException();
    }
    return cause instanceof StoreException known
        ? known
        : new StoreException.Unknown("The etcd adapter failed over an answer.", cause);
  }

  static Throwable unwrap(Throwable problem) {
    Throwable cause = problem.getCause();
    return problem instanceof CompletionException && cause != null ? unwrap(cause) : problem;
  }

  /** The kind of an etcd failure, or unknown for anything else. */
  static Failure.Kind kindOf(Throwable problem) {
    return unwrap(problem) instanceof Failure.Thrown thrown
        ? thrown.failure().kind()
        : Failure.Kind.UNKNOWN;
  }
}
