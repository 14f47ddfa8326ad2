package io.belfry.store.etcd;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A connection whose answers a test writes down: by the number of the call, from 0 on, a message or a status.
 *
 * <p>Threading: safe; answers arrive on the timer's thread.
 */
final class ScriptedChannel extends ManagedChannel {
  private final ScheduledExecutorService timer;
  private final Duration delay;
  private final IntFunction<Object> answers;
  private final AtomicInteger calls = new AtomicInteger();
  private volatile boolean shutDown;

  /**
   * @param delay until an answer arrives
   * @param answers a {@link Status} is a failure, anything else a message
   */
  ScriptedChannel(ScheduledExecutorService timer, Duration delay, IntFunction<Object> answers) {
    this.timer = timer;
    this.delay = delay;
    this.answers = answers;
  }

  int calls() {
    return calls.get();
  }

  @Override
  public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
    return new ScriptedCall<>(calls.getAndIncrement(), options);
  }

  @Override
  public ConnectivityState getState(boolean connect) {
    return ConnectivityState.READY;
  }

  @Override
  public String authority() {
    return "scripted";
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

  private final class ScriptedCall<Q, A> extends ClientCall<Q, A> {
    private final int number;
    private final CallOptions options;

    ScriptedCall(int number, CallOptions options) {
      this.number = number;
      this.options = options;
    }

    /** As with gRPC's own, a call whose deadline has passed never leaves. */
    @Override
    public void start(Listener<A> listener, Metadata headers) {
      var deadline = options.getDeadline();
      if (deadline != null && deadline.isExpired()) {
        listener.onClose(Status.DEADLINE_EXCEEDED, new Metadata());
        return;
      }
      options
          .getStreamTracerFactories()
          .forEach(factory -> factory
              .newClientStreamTracer(
                  io.grpc.ClientStreamTracer.StreamInfo.newBuilder().build(), headers)
              .streamCreated(io.grpc.Attributes.EMPTY, headers));
      var unused = timer.schedule(() -> answer(listener), delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    @SuppressWarnings("unchecked") // the test knows which method is called when
    private void answer(Listener<A> listener) {
      Object answer = answers.apply(number);
      if (answer instanceof Status status) {
        listener.onClose(status, new Metadata());
      } else {
        listener.onMessage((A) answer);
        listener.onClose(Status.OK, new Metadata());
      }
    }

    @Override
    public void request(int messages) {}

    @Override
    public void cancel(@Nullable String message, @Nullable Throwable cause) {}

    @Override
    public void halfClose() {}

    @Override
    public void sendMessage(Q message) {}
  }
}
