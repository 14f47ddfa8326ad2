package io.belfry.model.cron;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** "每个工作日 02:30". Threading: stateless. */
final class Chinese implements DescriptionRenderer {
  private static final PhraseJoiner JOINING = new PhraseJoiner("到", "、", "和");

  private static final List<String> NUMBERS = List.of("一", "二", "三", "四", "五");
  private static final List<String> WEEKDAYS = List.of("周一", "周二", "周三", "周四", "周五", "周六", "周日");

  @Override
  public String every(Duration period) {
    if (period.equals(Duration.ofDays(1))) {
      return "每24小时"; // a day from the anchor, whatever the calendar does
    }
    List<String> parts = new ArrayList<>();
    add(parts, period.toDaysPart(), "天");
    add(parts, period.toHoursPart(), "小时");
    add(parts, period.toMinutesPart(), "分钟");
    add(parts, period.toSecondsPart(), "秒");
    String only = parts.getFirst();
    return "每"
        + (parts.size() == 1 && only.matches("1\\D+") ? only.substring(1) : String.join("", parts));
  }

  private static void add(List<String> parts, long count, String unit) {
    if (count > 0) {
      parts.add(count + unit);
    }
  }

  /** From the large to the small: year, month, day, time. */
  @Override
  public String say(Description d) {
    boolean allDay =
        d.times() instanceof TimesOfDay.Every || d.times() instanceof TimesOfDay.Hourly;
    boolean everyHour =
        d.times() instanceof TimesOfDay.Mixed mixed && mixed.hours() instanceof Part.All;
    if (d.always() && (allDay || everyHour)) {
      return times(d.times());
    }
    return dates(d) + " " + times(d.times());
  }

  // Times of day

  private static String times(TimesOfDay times) {
    return switch (times) {
      case TimesOfDay.At at ->
        JOINING.list(at.times().stream().map(PhraseJoiner::clock).toList());
      case TimesOfDay.Every every -> every(every.count(), every.unit());
      case TimesOfDay.Hourly hourly ->
        every(hourly.count(), TimesOfDay.Unit.HOUR) + "的" + pastTheHour(hourly);
      case TimesOfDay.Within w ->
        PhraseJoiner.clock(w, w.first()) + " 到 " + PhraseJoiner.clock(w, w.last()) + " "
            + every(w.count(), w.unit());
      case TimesOfDay.Mixed mixed -> mixed(mixed);
    };
  }

  private static String pastTheHour(TimesOfDay.Hourly hourly) {
    String minute = "第" + hourly.minute() + "分";
    return hourly.second() == 0 ? minute : minute + hourly.second() + "秒";
  }

  private static String every(int count, TimesOfDay.Unit unit) {
    return "每" + (count == 1 ? "" : count) + unit(unit);
  }

  private static String unit(TimesOfDay.Unit unit) {
    return switch (unit) {
      case SECOND -> "秒";
      case MINUTE -> "分钟";
      case HOUR -> "小时";
    };
  }

  private static String mixed(TimesOfDay.Mixed mixed) {
    boolean onTheMinute = mixed.seconds().equals(new Part.Some(List.of(new Part.Run(0, 0))));
    boolean allHours = mixed.minutes().isThroughout() && mixed.hours() instanceof Part.All;
    String hours = part(mixed.hours(), TimesOfDay.Unit.HOUR, "", "点");
    String minutes = part(mixed.minutes(), TimesOfDay.Unit.MINUTE, "第", "分");
    String both = allHours ? minutes : of(hours, minutes);
    return onTheMinute ? both : of(both, part(mixed.seconds(), TimesOfDay.Unit.SECOND, "第", "秒"));
  }

  private static String of(String whole, String part) {
    return whole + (part.startsWith("从") ? "" : "的") + part;
  }

  private static String part(Part part, TimesOfDay.Unit unit, String before, String after) {
    return switch (part) {
      case Part.All all -> every(1, unit);
      case Part.Even even -> every(even.step(), unit);
      case Part.Stepped s ->
        "从" + before + s.first() + after + "到" + before + s.last() + after + every(s.step(), unit);
      case Part.Some some -> before + JOINING.runs(some.runs(), Integer::toString) + after;
    };
  }

  // Dates

  private static String dates(Description d) {
    String months = JOINING.runs(d.months(), month -> month + "月");
    String years = years(d);
    if (d.everyDay()) {
      return years + (months.isEmpty() ? "" : months + "的") + "每天";
    }
    boolean oneYear =
        d.years().size() == 1 && d.years().getFirst() instanceof Part.Some some && some.isSingle();
    String annual = months.isEmpty() ? "每月" : oneYear ? months : "每年" + months;
    String ofMonth = annual + (months.isEmpty() || d.oneMonth() ? "" : "的");
    List<String> either = new ArrayList<>();
    List<String> inMonth = daysOfMonth(d);
    if (!inMonth.isEmpty()) {
      either.add(ofMonth + JOINING.list(inMonth));
    }
    if (!d.days().dowOpen()) {
      if (d.days().dow() != 0) {
        either.add((months.isEmpty() ? "" : months + "的") + weekdays(d));
      }
      List<String> counted = countedWeekdays(d.days().rare());
      if (!counted.isEmpty()) {
        either.add(ofMonth + JOINING.list(counted));
      }
    }
    return years + String.join("或", either);
  }

  private static List<String> daysOfMonth(Description d) {
    List<String> items = new ArrayList<>();
    for (Part part : d.daysOfMonth()) {
      switch (part) {
        case Part.All all -> items.add("每一天");
        case Part.Even even -> items.add("每" + even.step() + "天");
        case Part.Stepped s -> items.add(s.first() + "日到" + s.last() + "日每" + s.step() + "天");
        case Part.Some some ->
          some.runs().forEach(run -> items.add(JOINING.runs(List.of(run), day -> day + "日")));
      }
    }
    if (d.days().domOpen()) {
      return items;
    }
    Days.Rare rare = d.days().rare();
    Part.values(rare.last()).forEach(back -> items.add(back == 0 ? "最后一天" : beforeLast(back)));
    Part.values(rare.nearest()).forEach(day -> items.add("离" + (day + 1) + "日最近的工作日"));
    Part.values(rare.lastNearest())
        .forEach(back -> items.add(back == 0 ? "最后一个工作日" : "离" + beforeLast(back) + "最近的工作日"));
    return items;
  }

  private static String beforeLast(int back) {
    return "倒数第" + (back + 1) + "天";
  }

  private static String weekdays(Description d) {
    if (d.days().dow() == 127) {
      return "每天";
    }
    if (d.workingDays()) {
      return "每个工作日";
    }
    List<Integer> run = d.weekdayRun();
    if (!run.isEmpty()) {
      return "每" + WEEKDAYS.get(run.getFirst() - 1) + "到" + WEEKDAYS.get(run.getLast() - 1);
    }
    return "每"
        + JOINING.list(d.weekdays().stream().map(day -> WEEKDAYS.get(day - 1)).toList());
  }

  private static List<String> countedWeekdays(Days.Rare rare) {
    List<String> items = new ArrayList<>();
    Part.values(rare.nth())
        .forEach(bit -> items.add("第" + NUMBERS.get(bit / 7) + "个" + weekday(bit % 7)));
    Part.values(rare.lastDow()).forEach(day -> items.add("最后一个" + weekday(day)));
    return items;
  }

  private static String weekday(int sundayIsZero) {
    return WEEKDAYS.get((sundayIsZero + 6) % 7);
  }

  private static String years(Description d) {
    if (d.years().isEmpty()) {
      return "";
    }
    return switch (d.years().getFirst()) {
      case Part.All all -> "";
      case Part.Even even -> Civil.FIRST_YEAR + "年起每" + even.step() + "年的";
      case Part.Stepped s -> s.first() + "年到" + s.last() + "年每" + s.step() + "年的";
      case Part.Some some -> JOINING.runs(some.runs(), year -> year + "年");
    };
  }
}
