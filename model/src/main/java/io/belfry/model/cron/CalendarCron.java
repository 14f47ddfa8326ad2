package io.belfry.model.cron;

import io.belfry.model.cron.DstRule.Gap;
import io.belfry.model.cron.DstRule.Repeat;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A cron expression with fields, evaluated in a time zone. Converts local times to instants.
 *
 * <p>A zone is a sequence of windows with one offset each. Inside a window, local time and instant differ only by
 * that offset. So a search runs inside one window, and the rule for clock changes applies only where a
 * window starts or ends:
 *
 * <pre>
 *   local   00:00      02:00|03:00            a gap: if a named time lies in it, and the rule is NEXT,
 *   window  ── offset A ────|──── offset B      the first instant of the later window fires
 *
 *   local   00:00 01:00 02:00|                a repeat: FIRST hides [01:00, 02:00) in the later window,
 *   window  ── offset A ─────|                SECOND hides it in the earlier one, BOTH hides nothing
 *                       01:00|──── offset B
 * </pre>
 *
 * <p>For expressions that follow elapsed time, SKIP and BOTH give the same fires: every time the clock shows
 * a named time. This relies on windows that are longer than any clock jump, which holds for every zone of
 * the tz database and is tested.
 *
 * <p>Size: about 180 bytes with the text of an everyday expression, up to 280 with L, W, # or years. Threading: immutable.
 */
final class CalendarCron implements Cron {

  // No offset is larger, so a fire is never farther than this from its clock time read as UTC.
  private static final long MAX_OFFSET = 18 * 3600;
  private static final long FIRST_ASKED = -2L * Civil.SECONDS_PER_DAY;
  private static final long LAST_ASKED = (Civil.END_DAY + 2L) * Civil.SECONDS_PER_DAY;

  private final String expression;
  private final Dialect dialect;
  private final Pattern pattern;
  private final ZoneClock clock;
  private final DstRule rule;

  CalendarCron(String expression, Dialect dialect, Pattern pattern, ZoneClock clock, DstRule rule) {
    this.expression = expression;
    this.dialect = dialect;
    this.pattern = pattern;
    this.clock = clock;
    this.rule = rule;
  }

  @Override
  public Cron in(ZoneId zone) {
    return new CalendarCron(expression, dialect, pattern, ZoneClock.of(zone), rule);
  }

  @Override
  public Cron with(DstRule other) {
    return new CalendarCron(expression, dialect, pattern, clock, Objects.requireNonNull(other));
  }

  @Override
  public Cron from(Instant anchor) {
    Objects.requireNonNull(anchor);
    return this;
  }

  @Override
  public long nextEpochSecond(long after) {
    if (after >= LAST_ASKED) {
      return NEVER_AGAIN;
    }
    long from = Math.max(after + 1, FIRST_ASKED);
    while (true) {
      int window = clock.windowAt(from);
      if (from == clock.start(window) && landsOnStart(window)) {
        return from;
      }
      int offset = clock.offset(window);
      long named = pattern.atOrAfter(Math.max(from + offset, firstShown(window)));
      if (named < endShown(window)) {
        return named - offset;
      }
      if (clock.end(window) > LAST_ASKED) {
        return NEVER_AGAIN;
      }
      from = leapForward(from, clock.end(window), named);
    }
  }

  @Override
  public long previousEpochSecond(long before) {
    if (before <= FIRST_ASKED) {
      return NEVER_BEFORE;
    }
    long until = Math.min(before - 1, LAST_ASKED);
    while (true) {
      int window = clock.windowAt(until);
      int offset = clock.offset(window);
      long named = pattern.atOrBefore(Math.min(until + offset, endShown(window) - 1));
      if (named >= firstShown(window)) {
        return named - offset;
      }
      if (landsOnStart(window)) {
        return clock.start(window);
      }
      if (clock.start(window) < FIRST_ASKED) {
        return NEVER_BEFORE;
      }
      until = leapBack(until, clock.start(window), named);
    }
  }

  /**
   * Where the search continues when this window has no further fire. Clock times before {@code named} are used up,
   * except those that a repeat shows again within two offsets from here. Beyond that, no fire can
   * come earlier than {@code named} minus one offset, so that years of windows can be skipped.
   */
  private static long leapForward(long from, long windowEnd, long named) {
    if (windowEnd <= from + 2 * MAX_OFFSET) {
      return windowEnd;
    }
    return named == Pattern.NONE_AFTER
        ? Math.max(windowEnd, LAST_ASKED)
        : Math.max(windowEnd, named - MAX_OFFSET);
  }

  /** {@link #leapForward} in the other direction. */
  private static long leapBack(long until, long windowStart, long named) {
    if (windowStart >= until - 2 * MAX_OFFSET) {
      return windowStart - 1;
    }
    return named == Pattern.NONE_BEFORE
        ? Math.min(windowStart - 1, FIRST_ASKED)
        : Math.min(windowStart - 1, named + MAX_OFFSET);
  }

  private boolean movesOutOfGaps() {
    return rule.gap() == Gap.NEXT && !pattern.elapsed();
  }

  private Repeat repeat() {
    return pattern.elapsed() ? Repeat.BOTH : rule.repeat();
  }

  /** Whether a named time in the gap before this window fires at the start of the window. */
  private boolean landsOnStart(int window) {
    return clock.jumpAtStart(window) > 0 && movesOutOfGaps() && namedInGapBefore(window);
  }

  private boolean namedInGapBefore(int window) {
    long gapEnd = clock.start(window) + clock.offset(window);
    return pattern.atOrAfter(gapEnd - clock.jumpAtStart(window)) < gapEnd;
  }

  /** The first local time that may fire in a window. After a repeat, it is later than the start of the window. */
  private long firstShown(int window) {
    int jump = clock.jumpAtStart(window);
    long start = clock.start(window) + clock.offset(window);
    return jump < 0 && repeat() == Repeat.FIRST ? start - jump : start;
  }

  /** The first local time that may no longer fire in a window. Before a repeat, it is earlier than the end of the window. */
  private long endShown(int window) {
    int jump = clock.jumpAtEnd(window);
    long end = clock.end(window) + clock.offset(window);
    return jump < 0 && repeat() == Repeat.SECOND ? end + jump : end;
  }

  @Override
  public List<Fire> preview(Instant after, int count) {
    List<Fire> fires = new ArrayList<>();
    long known = Math.clamp(after.getEpochSecond(), FIRST_ASKED, LAST_ASKED);
    int shown = clock.offset(clock.windowAt(known));
    long second = after.getEpochSecond();
    while (fires.size() < count) {
      second = nextEpochSecond(second);
      if (second == NEVER_AGAIN) {
        break;
      }
      int window = clock.windowAt(second);
      fires.add(fire(second, window, clock.offset(window) != shown));
      shown = clock.offset(window);
    }
    return List.copyOf(fires);
  }

  private Fire fire(long second, int window, boolean changed) {
    ZonedDateTime time = Instant.ofEpochSecond(second).atZone(clock.zone());
    if (second == clock.start(window) && landsOnStart(window)) {
      long nominal = pattern.atOrAfter(second + clock.offset(window) - clock.jumpAtStart(window));
      return new Fire(
          time, LocalDateTime.ofEpochSecond(nominal, 0, ZoneOffset.UTC), Fire.Mark.MOVED, changed);
    }
    return new Fire(time, time.toLocalDateTime(), mark(second, window), changed);
  }

  private Fire.Mark mark(long second, int window) {
    int back = clock.jumpAtStart(window);
    if (back < 0 && second < clock.start(window) - back) {
      return Fire.Mark.SECOND_OF_TWO;
    }
    int ahead = clock.jumpAtEnd(window);
    return ahead < 0 && second >= clock.end(window) + ahead
        ? Fire.Mark.FIRST_OF_TWO
        : Fire.Mark.PLAIN;
  }

  @Override
  public String describe(Language language) {
    return Description.of(pattern, language.wording());
  }

  @Override
  public String expression() {
    return expression;
  }

  @Override
  public Dialect dialect() {
    return dialect;
  }

  @Override
  public ZoneId zone() {
    return clock.zone();
  }

  @Override
  public DstRule dstRule() {
    return rule;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CalendarCron c
        && expression.equals(c.expression)
        && dialect == c.dialect
        && pattern.equals(c.pattern)
        && zone().equals(c.zone())
        && rule.equals(c.rule);
  }

  @Override
  public int hashCode() {
    return Objects.hash(expression, dialect, pattern, zone(), rule);
  }

  @Override
  public String toString() {
    return expression;
  }
}
