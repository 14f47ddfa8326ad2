package io.belfry.core.calendar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.testkit.Seeds;
import java.nio.charset.StandardCharsets;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.MonthDay;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class CalendarTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final LocalDate FRIDAY = LocalDate.parse("2027-01-01");
  private static final LocalDate SATURDAY = FRIDAY.plusDays(1);
  private static final LocalDate MONDAY = FRIDAY.plusDays(3);

  @Nested
  class Rules {
    private final Calendar everyDay = Calendar.everyDay("all", BERLIN);

    @Test
    void without_any_the_default_decides() {
      assertThat(everyDay.includes(SATURDAY)).isTrue();
      assertThat(new Calendar("none", BERLIN, Calendar.Effect.EXCLUDE, List.of(), Optional.empty())
              .includes(SATURDAY))
          .isFalse();
    }

    @Test
    void speak_of_weekdays() {
      Calendar calendar = everyDay.excluding(new Days.Weekly(Set.of(DayOfWeek.SATURDAY)));
      assertThat(calendar.includes(SATURDAY)).isFalse();
      assertThat(calendar.includes(FRIDAY)).isTrue();
      assertThat(calendar.includes(SATURDAY.plusDays(1))).isTrue();
    }

    @Test
    void speak_of_dates() {
      Calendar calendar = everyDay.excluding(new Days.Dates(Set.of(FRIDAY, MONDAY)));
      assertThat(calendar.includes(FRIDAY)).isFalse();
      assertThat(calendar.includes(SATURDAY)).isTrue();
      assertThat(calendar.includes(MONDAY)).isFalse();
    }

    @Test
    void speak_of_ranges_with_both_ends() {
      Calendar calendar = everyDay.excluding(new Days.Range(FRIDAY, MONDAY));
      assertThat(calendar.includes(FRIDAY.minusDays(1))).isTrue();
      assertThat(calendar.includes(FRIDAY)).isFalse();
      assertThat(calendar.includes(MONDAY)).isFalse();
      assertThat(calendar.includes(MONDAY.plusDays(1))).isTrue();
    }

    @Test
    void speak_of_dates_of_every_year() {
      Calendar calendar =
          everyDay.excluding(new Days.Yearly(Set.of(MonthDay.of(12, 25), MonthDay.of(2, 29))));
      assertThat(calendar.includes(LocalDate.parse("2027-12-25"))).isFalse();
      assertThat(calendar.includes(LocalDate.parse("2099-12-25"))).isFalse();
      assertThat(calendar.includes(LocalDate.parse("2028-02-29"))).isFalse();
      assertThat(calendar.includes(LocalDate.parse("2027-02-28"))).isTrue();
    }

    @Test
    void the_last_one_that_speaks_of_a_day_decides() {
      Calendar calendar = everyDay
          .excluding(new Days.Range(FRIDAY, MONDAY))
          .including(new Days.Dates(Set.of(SATURDAY)));
      assertThat(calendar.includes(SATURDAY)).isTrue();
      assertThat(calendar.includes(FRIDAY)).isFalse();
    }
  }

  @Nested
  class Working_days {
    private final Holidays holidays =
        Holidays.read("2027-01-01 New Year\n12-25 Christmas".getBytes(StandardCharsets.UTF_8));
    private final Calendar calendar = Calendar.workingDays("office", BERLIN, holidays);

    @Test
    void are_monday_to_friday_without_holidays() {
      assertThat(calendar.includes(FRIDAY)).isFalse();
      assertThat(calendar.includes(SATURDAY)).isFalse();
      assertThat(calendar.includes(MONDAY)).isTrue();
      assertThat(calendar.includes(LocalDate.parse("2028-12-25"))).isFalse();
      assertThat(calendar.includes(LocalDate.parse("2028-12-26"))).isTrue();
    }

    @Test
    void can_be_made_up_for_on_a_weekend() {
      assertThat(calendar.including(new Days.Dates(Set.of(SATURDAY))).includes(SATURDAY))
          .isTrue();
    }
  }

  @Nested
  class A_base {
    private final Map<String, Calendar> saved = Map.of(
        "office", Calendar.workingDays("office", BERLIN, Holidays.NONE),
        "ring", Calendar.everyDay("ring", BERLIN).on("ring"));

    @Test
    void is_asked_for_days_of_which_no_own_rule_speaks() {
      Calendar own = Calendar.everyDay("own", BERLIN)
          .excluding(new Days.Dates(Set.of(MONDAY)))
          .including(new Days.Dates(Set.of(SATURDAY)))
          .on("office");
      Calendar whole = own.resolve(name -> Optional.ofNullable(saved.get(name)));

      assertThat(whole.name()).isEqualTo("own");
      assertThat(whole.includes(FRIDAY)).isTrue();
      assertThat(whole.includes(SATURDAY)).isTrue();
      assertThat(whole.includes(SATURDAY.plusDays(1))).isFalse();
      assertThat(whole.includes(MONDAY)).isFalse();
      assertThatThrownBy(() -> own.includes(MONDAY))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("office");
    }

    @Test
    void that_is_missing_or_rests_on_itself_is_refused() {
      assertThatThrownBy(
              () -> Calendar.everyDay("own", BERLIN).on("nobody").resolve(name -> Optional.empty()))
          .hasMessage(
              "calendar.base must name a calendar that exists, because its rules come before"
                  + " this one's, but was \"nobody\". Save that calendar first, or remove base.");
      assertThatThrownBy(() -> Calendar.everyDay("own", BERLIN)
              .on("ring")
              .resolve(name -> Optional.ofNullable(saved.get(name))))
          .hasMessageContaining("a cycle of them never ends");
    }
  }

  @Test
  void bounds_are_checked() {
    Set<LocalDate> many = new HashSet<>();
    for (int i = 0; i <= Calendar.DATES_MAX; i++) {
      many.add(FRIDAY.plusDays(i));
    }
    assertThatThrownBy(() -> Calendar.everyDay("all", BERLIN).excluding(new Days.Dates(many)))
        .hasMessageContaining("must hold at most 10000 dates")
        .hasMessageContaining("but was 10001 dates");
    assertThatThrownBy(() -> new Days.Range(MONDAY, FRIDAY)).hasMessageContaining("Swap the two");
    assertThatThrownBy(() -> new Days.Weekly(Set.of())).hasMessageContaining("must name a day");
    assertThatThrownBy(() -> Calendar.everyDay("No Name", BERLIN))
        .hasMessageStartingWith("calendar must be 1 to 128 characters");
  }

  /** Evaluates the rules one by one, which defines what they mean. */
  private static boolean includes(Calendar calendar, LocalDate day) {
    return calendar.rules().reversed().stream()
        .filter(rule -> speaksOf(rule.days(), day))
        .findFirst()
        .map(rule -> rule.effect() == Calendar.Effect.INCLUDE)
        .orElse(calendar.otherwise() == Calendar.Effect.INCLUDE);
  }

  private static boolean speaksOf(Days days, LocalDate day) {
    return switch (days) {
      case Days.Weekly(var weekdays) -> weekdays.contains(day.getDayOfWeek());
      case Days.Yearly(var dates) -> dates.contains(MonthDay.from(day));
      case Days.Dates(var dates) -> dates.contains(day);
      case Days.Range(var first, var last) -> !day.isBefore(first) && !day.isAfter(last);
    };
  }

  private static Days anyDays(RandomGenerator random) {
    LocalDate first = FRIDAY.plusDays(random.nextInt(-400, 400));
    return switch (random.nextInt(5)) {
      case 0 -> new Days.Weekly(Set.of(DayOfWeek.of(1 + random.nextInt(7))));
      case 1 -> new Days.Yearly(Set.of(MonthDay.from(first), MonthDay.of(2, 29)));
      case 2 ->
        new Days.Dates(Set.of(first, first.plusDays(1 + random.nextInt(9)), first.minusDays(40)));
      default -> new Days.Range(first, first.plusDays(random.nextInt(30)));
    };
  }

  @Test
  void days_are_looked_up_as_the_rules_say_in_their_order() {
    Seeds.each(300, random -> {
      var rules = new ArrayList<Calendar.Rule>();
      for (int i = random.nextInt(30); i > 0; i--) {
        Calendar.Effect effect =
            random.nextBoolean() ? Calendar.Effect.INCLUDE : Calendar.Effect.EXCLUDE;
        rules.add(new Calendar.Rule(effect, anyDays(random)));
      }
      Calendar.Effect otherwise =
          random.nextInt(3) == 0 ? Calendar.Effect.INCLUDE : Calendar.Effect.EXCLUDE;
      var calendar = new Calendar("any", BERLIN, otherwise, rules, Optional.empty());
      for (LocalDate day = FRIDAY.minusDays(500);
          day.isBefore(FRIDAY.plusDays(500));
          day = day.plusDays(1)) {
        assertThat(calendar.includes(day))
            .as("%s by %s", day, rules)
            .isEqualTo(includes(calendar, day));
      }
      LocalDate from = FRIDAY.plusDays(random.nextInt(-500, 500));
      int most = random.nextInt(60);
      assertThat(calendar.daysAhead(from, most))
          .as("from %s by %s", from, rules)
          .isEqualTo(IntStream.rangeClosed(0, most)
              .filter(away -> includes(calendar, from.plusDays(away)))
              .findFirst());
      assertThat(calendar.daysBack(from, most))
          .isEqualTo(IntStream.rangeClosed(0, most)
              .filter(away -> includes(calendar, from.minusDays(away)))
              .findFirst());
    });
  }

  @Test
  void days_far_away_are_looked_up_too() {
    Calendar calendar = new Calendar(
            "far", BERLIN, Calendar.Effect.EXCLUDE, List.of(), Optional.empty())
        .including(new Days.Dates(Set.of(LocalDate.MAX, LocalDate.MIN, FRIDAY)))
        .including(new Days.Range(LocalDate.MAX.minusDays(3), LocalDate.MAX));
    assertThat(calendar.includes(LocalDate.MAX)).isTrue();
    assertThat(calendar.includes(LocalDate.MAX.minusDays(4))).isFalse();
    assertThat(calendar.includes(LocalDate.MIN)).isTrue();
    assertThat(calendar.includes(FRIDAY)).isTrue();
    assertThat(calendar.includes(SATURDAY)).isFalse();
  }
}
