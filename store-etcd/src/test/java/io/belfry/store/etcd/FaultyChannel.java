package io.belfry.store.etcd;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A connection that fails at chosen steps of a call, and never answers. Like gRPC's own, it refuses to start or to use a call that was
 * cancelled before.
 *
 * <p>Threading: confined to the test, but for calls cancelled by a timer.
 */
final class FaultyChannel extends ManagedChannel {
  /** Where a call can fail. */
  enum Step {
    NEW_CALL,
    STATE,
    START,
    REQUEST,
    SEND,
    HALF_CLOSE,
    CANCEL
  }

  private final Set<Step> failing = EnumSet.noneOf(Step.class);
  private Runnable beforeStart = () -> {};
  private int calls;
  private volatile boolean shutDown;

  FaultyChannel failAt(Step step) {
    failing.add(step);
    return this;
  }

  /** Runs when the next call is about to start, after its owner knows of it. */
  FaultyChannel beforeStart(Runnable step) {
    beforeStart = step;
    return this;
  }

  int calls() {
    return calls;
  }

  private void at(Step step) {
    if (failing.contains(step)) {
      throw new IllegalStateException("fails at " + step);
    }
  }

  @Override
  public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
    calls++;
    at(Step.NEW_CALL);
    return new SilentCall<>();
  }

  @Override
  public ConnectivityState getState(boolean connect) {
    at(Step.STATE);
    Runnable once = beforeStart;
    beforeStart = () -> {};
    once.run();
    return ConnectivityState.READY;
  }

  @Override
  public String authority() {
    return "faulty";
  }

  @Override
  public ManagedChannel shutdown() {
    shutDown = true;
    return this;
  }

  @Override
  public ManagedChannel shutdownNow() {
    return shutdown();
  }

  @Override
  public boolean isShutdown() {
    return shutDown;
  }

  @Override
  public boolean isTerminated() {
    return shutDown;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return shutDown;
  }

  private final class SilentCall<Q, A> extends ClientCall<Q, A> {
    private volatile boolean cancelled;

    private void requireUsable() {
      if (cancelled) {
        throw new IllegalStateException("call was cancelled");
      }
    }

    @Override
    public void start(Listener<A> listener, Metadata headers) {
      at(Step.START);
      requireUsable();
    }

    @Override
    public void request(int messages) {
      at(Step.REQUEST);
    }

    @Override
    public void cancel(@Nullable String message, @Nullable Throwable cause) {
      cancelled = true;
      at(Step.CANCEL);
    }

    @Override
    public void halfClose() {
      at(Step.HALF_CLOSE);
      requireUsable();
    }

    @Override
    public void sendMessage(Q message) {
      at(Step.SEND);
      requireUsable();
    }
  }
}
