package io.belfry.core.record;

import io.belfry.model.cron.Dialect;
import io.belfry.model.cron.DstRule;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Trigger;
import io.belfry.model.job.Window;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/** Triggers of jobs. Threading: stateless. */
final class TriggerCodec {
  private static final int MANUAL = 0;
  private static final int CRON = 1;
  private static final int EVERY = 2;
  private static final int AT = 3;
  private static final int AFTER = 4;

  private static final int START = 1;
  private static final int END = 1 << 1;
  private static final int CALENDAR = 1 << 2;
  private static final int JITTER = 1 << 3;
  private static final int WINDOW_ALL = (1 << 4) - 1;

  private static final DstRule.Gap[] GAPS = DstRule.Gap.values();
  private static final DstRule.Repeat[] REPEATS = DstRule.Repeat.values();
  private static final Dialect[] DIALECTS = Dialect.values();
  private static final Trigger.Every.From[] FROMS = Trigger.Every.From.values();
  private static final Trigger.After.Outcome[] OUTCOMES = Trigger.After.Outcome.values();

  private TriggerCodec() {}

  static void write(Writer out, Trigger trigger) {
    int begun = out.begin();
    switch (trigger) {
      case Trigger.Manual unused -> out.number(MANUAL);
      case Trigger.Cron cron -> {
        out.number(CRON);
        writeCron(out, cron);
      }
      case Trigger.Every every -> {
        out.number(EVERY);
        out.duration(every.interval());
        out.constant(every.from());
        writeWindow(out, every.window());
      }
      case Trigger.At(Instant instant) -> {
        out.number(AT);
        out.instant(instant);
      }
      case Trigger.After after -> {
        out.number(AFTER);
        out.text(after.job().value());
        out.constant(after.on());
      }
    }
    out.end(begun);
  }

  static Trigger read(Reader in) {
    int outer = in.enter();
    int tag = in.integer();
    Trigger trigger = switch (tag) {
      case MANUAL -> new Trigger.Manual();
      case CRON -> readCron(in);
      case EVERY -> new Trigger.Every(in.duration(), in.constant(FROMS), readWindow(in));
      case AT -> new Trigger.At(in.instant());
      case AFTER -> new Trigger.After(new JobId(in.text()), in.constant(OUTCOMES));
      default -> throw in.damaged("a trigger of the unknown kind " + tag);
    };
    in.leave(outer);
    return trigger;
  }

  static void writeOutcome(Writer out, Trigger.After.Outcome on) {
    out.constant(on);
  }

  static Trigger.After.Outcome readOutcome(Reader in) {
    return in.constant(OUTCOMES);
  }

  private static void writeCron(Writer out, Trigger.Cron cron) {
    out.text(cron.expression());
    out.text(cron.zone().getId());
    out.constant(cron.dst().gap());
    out.constant(cron.dst().repeat());
    out.constant(cron.dialect());
    writeWindow(out, cron.window());
  }

  private static Trigger.Cron readCron(Reader in) {
    String expression = in.text();
    ZoneId zone = ZoneId.of(in.text());
    DstRule dst = new DstRule(in.constant(GAPS), in.constant(REPEATS));
    return new Trigger.Cron(expression, zone, dst, in.constant(DIALECTS), readWindow(in));
  }

  private static void writeWindow(Writer out, Window window) {
    int begun = out.begin();
    out.number((window.start().isPresent() ? START : 0)
        | (window.end().isPresent() ? END : 0)
        | (window.calendar().isPresent() ? CALENDAR : 0)
        | (window.jitter().isZero() ? 0 : JITTER));
    window.start().ifPresent(out::instant);
    window.end().ifPresent(out::instant);
    window.calendar().ifPresent(out::text);
    if (!window.jitter().isZero()) {
      out.duration(window.jitter());
    }
    out.end(begun);
  }

  private static Window readWindow(Reader in) {
    int outer = in.enter();
    int flags = in.flags(WINDOW_ALL);
    Window window = new Window(
        (flags & START) == 0 ? Optional.empty() : Optional.of(in.instant()),
        (flags & END) == 0 ? Optional.empty() : Optional.of(in.instant()),
        (flags & CALENDAR) == 0 ? Optional.empty() : Optional.of(in.text()),
        (flags & JITTER) == 0 ? Duration.ZERO : in.duration());
    in.leave(outer);
    return window;
  }
}
