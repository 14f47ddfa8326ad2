package io.belfry.tests.witness;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The attempts of one task, as the ledger has them: nearly always one. Threading: confined to one check. */
final class Seen {
  private final List<Attempt> attempts = new ArrayList<>(1);

  /** One attempt. */
  static final class Attempt {
    final long token;
    final String process;
    private long start = Long.MIN_VALUE;
    private long end = Long.MIN_VALUE;
    private long stop = Long.MIN_VALUE;
    private boolean fencedStart = true;
    private boolean fencedEnd = true;

    private Attempt(long token, String process) {
      this.token = token;
      this.process = process;
    }

    boolean hasStarted() {
      return start != Long.MIN_VALUE;
    }

    boolean hasEnded() {
      return end != Long.MIN_VALUE;
    }

    Instant start() {
      return Instant.ofEpochMilli(start);
    }

    Instant end() {
      return Instant.ofEpochMilli(end);
    }

    /** When its body was over, by its END or its STOP; empty if it wrote neither, because its process was killed. */
    Optional<Instant> over() {
      return hasEnded()
          ? Optional.of(end())
          : stop == Long.MIN_VALUE ? Optional.empty() : Optional.of(Instant.ofEpochMilli(stop));
    }

    /** Whether the fence had let its end through: no newer attempt had begun. */
    boolean endedInTime() {
      return hasEnded() && fencedEnd;
    }

    /** Whether the fence turned it away when it began. */
    boolean wasTurnedAway() {
      return !fencedStart;
    }
  }

  /** False when that attempt had done so before. */
  boolean add(LedgerLine line) {
    long token = line.entry().token();
    Attempt attempt = of(token).orElseGet(() -> {
      var fresh = new Attempt(token, line.entry().process());
      attempts.add(fresh);
      return fresh;
    });
    long at = line.at().toEpochMilli();
    return switch (line.entry().what()) {
      case START -> {
        boolean first = !attempt.hasStarted();
        attempt.start = at;
        attempt.fencedStart = line.fenced();
        yield first;
      }
      case END -> {
        boolean first = !attempt.hasEnded();
        attempt.end = at;
        attempt.fencedEnd = line.fenced();
        yield first;
      }
      case STOP -> {
        boolean first = attempt.stop == Long.MIN_VALUE;
        attempt.stop = at;
        yield first;
      }
    };
  }

  Optional<Attempt> of(long token) {
    return attempts.stream().filter(each -> each.token == token).findFirst();
  }

  /** In the order in which the ledger heard of them. */
  List<Attempt> attempts() {
    return attempts;
  }

  boolean hasEnded() {
    return attempts.stream().anyMatch(Attempt::hasEnded);
  }

  Optional<Instant> firstStart() {
    return attempts.stream()
        .filter(Attempt::hasStarted)
        .map(Attempt::start)
        .min(Instant::compareTo);
  }

  /** The last END of any attempt. */
  Optional<Instant> lastEnd() {
    return attempts.stream().filter(Attempt::hasEnded).map(Attempt::end).max(Instant::compareTo);
  }

  /** How often its body began. */
  long starts() {
    return attempts.stream().filter(Attempt::hasStarted).count();
  }

  Optional<Instant> lastStart() {
    return attempts.stream()
        .filter(Attempt::hasStarted)
        .map(Attempt::start)
        .max(Instant::compareTo);
  }

  /** Whether an attempt after this one did anything. */
  boolean isAfter(long token) {
    return attempts.stream().anyMatch(each -> each.token > token);
  }

  /** Ends of attempts other than the accepted one. */
  int endsBeside(long token) {
    return (int)
        attempts.stream().filter(each -> each.hasEnded() && each.token != token).count();
  }
}
