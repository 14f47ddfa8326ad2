package io.belfry.core.record;

import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Limit;
import io.belfry.model.job.Payload;
import io.belfry.model.job.Rate;
import io.belfry.model.job.Work;
import io.belfry.model.retry.FailureKind;
import io.belfry.model.retry.RetryPolicy;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Work. Default values take one bit. Threading: stateless. */
final class WorkCodec {
  private static final int AT_MOST_ONCE = 1;
  private static final int TIMEOUT = 1 << 1;
  private static final int RETRY = 1 << 2;
  private static final int QUEUE = 1 << 3;
  private static final int WORKERS = 1 << 4;
  private static final int PAYLOAD = 1 << 5;
  /** Set unless the executor is just the name of a local handler. */
  private static final int EXECUTOR = 1 << 6;

  private static final int LIMIT = 1 << 7;
  private static final int METADATA = 1 << 8;
  private static final int ALL = (1 << 9) - 1;

  private static final int LIMIT_CONCURRENCY = 1;
  private static final int LIMIT_RATE = 1 << 1;
  private static final int LIMIT_KEY = 1 << 2;
  private static final int LIMIT_ALL = (1 << 3) - 1;

  private static final String LOCAL = "local";
  private static final String HANDLER = "handler";
  private static final FailureKind[] KINDS = FailureKind.values();
  private static final Rate.Unit[] UNITS = Rate.Unit.values();

  private WorkCodec() {}

  static void write(Writer out, Work work) {
    if (!out.repeats(work)) {
      int begun = out.begin();
      writeParts(out, work);
      out.end(begun);
      out.mayRepeat(work, begun);
    }
  }

  private static void writeParts(Writer out, Work work) {
    String handler = justHandler(work.executor());
    int flags = flags(work) | (handler == null ? EXECUTOR : 0);
    out.number(flags);
    out.text(work.name());
    if (handler != null) {
      out.text(handler);
    } else {
      out.text(work.executor().type());
      SettingsCodec.write(out, work.executor().settings());
    }
    if ((flags & PAYLOAD) != 0) {
      PayloadCodec.write(out, work.payload());
    }
    if ((flags & TIMEOUT) != 0) {
      out.duration(work.timeout());
    }
    if ((flags & RETRY) != 0) {
      writeRetry(out, work.retry());
    }
    if ((flags & QUEUE) != 0) {
      out.text(work.queue());
    }
    if ((flags & WORKERS) != 0) {
      out.texts(work.workers());
    }
    if ((flags & LIMIT) != 0) {
      writeLimit(out, work.limit());
    }
    if ((flags & METADATA) != 0) {
      out.texts(work.metadata());
    }
  }

  static Work read(Reader in) {
    Work again = in.repeated();
    if (again != null) {
      return again;
    }
    int begun = in.position();
    int outer = in.enter();
    int flags = in.flags(ALL);
    Work work = new Work(
        in.text(),
        (flags & EXECUTOR) == 0
            ? new ExecutorSpec(LOCAL, Map.of(HANDLER, in.text()))
            : new ExecutorSpec(in.text(), SettingsCodec.read(in)),
        (flags & PAYLOAD) == 0 ? Payload.EMPTY : PayloadCodec.read(in),
        (flags & TIMEOUT) == 0 ? Work.DEFAULT_TIMEOUT : in.duration(),
        (flags & RETRY) == 0 ? RetryPolicy.DEFAULT : readRetry(in),
        (flags & AT_MOST_ONCE) != 0,
        (flags & QUEUE) == 0 ? Work.DEFAULT_QUEUE : in.text(),
        (flags & WORKERS) == 0 ? Map.of() : in.texts(),
        (flags & LIMIT) == 0 ? Limit.NONE : readLimit(in),
        (flags & METADATA) == 0 ? Map.of() : in.texts());
    in.leave(outer);
    in.mayRepeat(work, begun);
    return work;
  }

  private static int flags(Work work) {
    return (work.atMostOnce() ? AT_MOST_ONCE : 0)
        | (work.timeout().equals(Work.DEFAULT_TIMEOUT) ? 0 : TIMEOUT)
        | (work.retry().equals(RetryPolicy.DEFAULT) ? 0 : RETRY)
        | (work.queue().equals(Work.DEFAULT_QUEUE) ? 0 : QUEUE)
        | (work.workers().isEmpty() ? 0 : WORKERS)
        | (work.payload().equals(Payload.EMPTY) ? 0 : PAYLOAD)
        | (work.limit().equals(Limit.NONE) ? 0 : LIMIT)
        | (work.metadata().isEmpty() ? 0 : METADATA);
  }

  /** The name of the local handler, if the executor has no other settings. */
  private static @Nullable String justHandler(ExecutorSpec executor) {
    boolean plain = executor.type().equals(LOCAL) && executor.settings().size() == 1;
    return plain && executor.settings().get(HANDLER) instanceof String name ? name : null;
  }

  private static void writeRetry(Writer out, RetryPolicy retry) {
    int begun = out.begin();
    out.number(retry.max());
    out.duration(retry.delay());
    out.real(retry.backoff());
    out.duration(retry.cap());
    out.flag(retry.jitter());
    out.constants(retry.on());
    out.end(begun);
  }

  private static RetryPolicy readRetry(Reader in) {
    int outer = in.enter();
    int max = in.integer();
    Duration delay = in.duration();
    double backoff = in.real();
    Duration cap = in.duration();
    boolean jitter = in.flag();
    RetryPolicy retry =
        new RetryPolicy(max, delay, backoff, cap, jitter, in.constants(FailureKind.class, KINDS));
    in.leave(outer);
    return retry;
  }

  private static void writeLimit(Writer out, Limit limit) {
    int begun = out.begin();
    out.number((limit.concurrency().isPresent() ? LIMIT_CONCURRENCY : 0)
        | (limit.rate().isPresent() ? LIMIT_RATE : 0)
        | (limit.key().isPresent() ? LIMIT_KEY : 0));
    limit.concurrency().ifPresent(out::number);
    limit.rate().ifPresent(rate -> {
      out.number(rate.count());
      out.constant(rate.per());
    });
    limit.key().ifPresent(out::text);
    out.end(begun);
  }

  private static Limit readLimit(Reader in) {
    int outer = in.enter();
    int flags = in.flags(LIMIT_ALL);
    Limit limit = new Limit(
        (flags & LIMIT_CONCURRENCY) == 0 ? Optional.empty() : Optional.of(in.integer()),
        (flags & LIMIT_RATE) == 0
            ? Optional.empty()
            : Optional.of(new Rate(in.integer(), in.constant(UNITS))),
        (flags & LIMIT_KEY) == 0 ? Optional.empty() : Optional.of(in.text()));
    in.leave(outer);
    return limit;
  }
}
