package io.belfry.model.cron;

import io.belfry.model.cron.DstRule.Gap;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** The documented rules, applied to one local time after the other, as java.time sees them. */
final class BruteForce {

  private record Shown(LocalDateTime time, List<ZoneOffset> offsets) {}

  private final ZoneRules rules;
  private final List<Shown> walk = new ArrayList<>();

  /** Walks from first to before last, a step at a time. */
  BruteForce(ZoneRules rules, LocalDateTime first, LocalDateTime last, Duration step) {
    this.rules = rules;
    for (LocalDateTime time = first; time.isBefore(last); time = time.plus(step)) {
      walk.add(new Shown(time, rules.getValidOffsets(time)));
    }
  }

  /** The fires of the clock times that this expression names on the way, under each rule. */
  List<SortedSet<Long>> fires(Reference reference, List<DstRule> dstRules) {
    List<Shown> named =
        walk.stream().filter(shown -> reference.matches(shown.time)).toList();
    return dstRules.stream()
        .map(rule -> fires(named, reference.elapsed(), rule))
        .toList();
  }

  private SortedSet<Long> fires(List<Shown> named, boolean elapsed, DstRule rule) {
    SortedSet<Long> fires = new TreeSet<>();
    for (Shown shown : named) {
      if (shown.offsets.isEmpty()) {
        if (!elapsed && rule.gap() == Gap.NEXT) {
          fires.add(rules.getTransition(shown.time).toEpochSecond());
        }
        continue;
      }
      for (ZoneOffset offset : elapsed ? shown.offsets : chosen(shown.offsets, rule)) {
        fires.add(shown.time.toEpochSecond(offset));
      }
    }
    return fires;
  }

  private static List<ZoneOffset> chosen(List<ZoneOffset> offsets, DstRule rule) {
    return switch (rule.repeat()) {
      case FIRST -> offsets.subList(0, 1);
      case SECOND -> offsets.subList(offsets.size() - 1, offsets.size());
      case BOTH -> offsets;
    };
  }

  /** What the real one says between two instants, going forwards. */
  static List<Long> forwards(Cron cron, long from, long until) {
    List<Long> fires = new ArrayList<>();
    for (long t = cron.nextEpochSecond(from - 1); t < until; t = cron.nextEpochSecond(t)) {
      fires.add(t);
    }
    return fires;
  }

  /** The same, going backwards; in ascending order. */
  static List<Long> backwards(Cron cron, long from, long until) {
    List<Long> fires = new ArrayList<>();
    for (long t = cron.previousEpochSecond(until); t >= from; t = cron.previousEpochSecond(t)) {
      fires.add(t);
    }
    return fires.reversed();
  }

  static Instant instant(long second) {
    return Instant.ofEpochSecond(second);
  }
}
