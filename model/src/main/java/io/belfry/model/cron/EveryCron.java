package io.belfry.model.cron;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * {@code @every}: one fire per period of elapsed time, counted from an anchor. Clock changes have no
 * effect; the zone is only for display. Threading: immutable.
 *
 * @param period in seconds
 * @param anchor the epoch second of the first possible fire
 */
record EveryCron(
    String expression, Dialect dialect, long period, long anchor, ZoneId zone, DstRule dstRule)
    implements Cron {

  private static final long END = (long) Civil.END_DAY * Civil.SECONDS_PER_DAY;

  @Override
  public Cron in(ZoneId other) {
    return new EveryCron(
        expression, dialect, period, anchor, Objects.requireNonNull(other), dstRule);
  }

  @Override
  public Cron with(DstRule other) {
    return new EveryCron(expression, dialect, period, anchor, zone, Objects.requireNonNull(other));
  }

  @Override
  public Cron from(Instant other) {
    return new EveryCron(expression, dialect, period, other.getEpochSecond(), zone, dstRule);
  }

  @Override
  public long nextEpochSecond(long after) {
    if (after >= END) {
      return NEVER_AGAIN;
    }
    long next =
        after < anchor ? anchor : anchor + (Math.floorDiv(after - anchor, period) + 1) * period;
    return next < END ? next : NEVER_AGAIN;
  }

  @Override
  public long previousEpochSecond(long before) {
    if (before <= anchor || anchor >= END) {
      return NEVER_BEFORE;
    }
    return anchor + Math.floorDiv(Math.min(before, END) - 1 - anchor, period) * period;
  }

  @Override
  public List<Fire> preview(Instant after, int count) {
    List<Fire> fires = new ArrayList<>();
    ZoneOffset shown = zone.getRules().getOffset(after);
    long second = after.getEpochSecond();
    while (fires.size() < count) {
      second = nextEpochSecond(second);
      if (second == NEVER_AGAIN) {
        break;
      }
      ZonedDateTime time = Instant.ofEpochSecond(second).atZone(zone);
      fires.add(new Fire(
          time, time.toLocalDateTime(), Fire.Mark.PLAIN, !time.getOffset().equals(shown)));
      shown = time.getOffset();
    }
    return List.copyOf(fires);
  }

  @Override
  public String describe(Language language) {
    return language.wording().every(Duration.ofSeconds(period));
  }

  @Override
  public String toString() {
    return expression;
  }
}
