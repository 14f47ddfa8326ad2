package io.belfry.core.record;

import io.belfry.model.missed.SkipReason;
import io.belfry.model.missed.SkippedRange;
import java.time.Instant;
import java.util.Optional;

/** Cursors, skipped ranges and settings of the namespace. Threading: stateless. */
final class ProgressCodec {
  private static final int ACTIVE = 1;
  private static final int NEXT = 1 << 1;
  private static final int LAST = 1 << 2;
  private static final int PREVIOUS = 1 << 3;
  private static final int CURSOR_ALL = (1 << 4) - 1;

  private static final int PAUSED = 1;
  private static final int EXACT = 1;

  private static final SkipReason[] REASONS = SkipReason.values();

  private ProgressCodec() {}

  static void writeCursor(Writer out, Cursor cursor) {
    out.number((cursor.active() ? ACTIVE : 0)
        | (cursor.next().isPresent() ? NEXT : 0)
        | (cursor.last().isPresent() ? LAST : 0)
        | (cursor.previous().isPresent() ? PREVIOUS : 0));
    out.number(cursor.generation());
    cursor.next().ifPresent(out::instant);
    cursor.last().ifPresent(out::instant);
    cursor.previous().ifPresent(id -> TaskIdCodec.write(out, id));
  }

  static Cursor readCursor(Reader in) {
    int flags = in.flags(CURSOR_ALL);
    return new Cursor(
        in.number(),
        (flags & ACTIVE) != 0,
        (flags & NEXT) == 0 ? Optional.empty() : Optional.of(in.instant()),
        (flags & LAST) == 0 ? Optional.empty() : Optional.of(in.instant()),
        (flags & PREVIOUS) == 0 ? Optional.empty() : Optional.of(TaskIdCodec.read(in)));
  }

  static void writeSkipped(Writer out, SkippedRange range) {
    out.number(range.exact() ? EXACT : 0);
    out.instant(range.from());
    out.instant(range.to(), range.from());
    out.number(range.count());
    out.constant(range.reason());
  }

  static SkippedRange readSkipped(Reader in) {
    int flags = in.flags(EXACT);
    Instant from = in.instant();
    return new SkippedRange(
        from, in.instant(from), in.integer(), (flags & EXACT) != 0, in.constant(REASONS));
  }

  static void writeSettings(Writer out, NamespaceSettings settings) {
    out.number(settings.paused() ? PAUSED : 0);
    out.text(settings.strategy());
    out.number(settings.resets());
    out.text(settings.reason());
  }

  static NamespaceSettings readSettings(Reader in) {
    boolean paused = (in.flags(PAUSED) & PAUSED) != 0;
    return new NamespaceSettings(paused, in.text(), in.number(), in.text());
  }
}
