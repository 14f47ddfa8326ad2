package io.belfry.model.cron;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import org.junit.jupiter.api.Test;

class CivilTest {

  @Test
  void agrees_with_java_time_on_every_day() {
    LocalDate date = LocalDate.EPOCH;
    for (int day = 0; day < Civil.END_DAY; day++, date = date.plusDays(1)) {
      int packed = Civil.dateOf(day);
      assertThat(Civil.year(packed)).isEqualTo(date.getYear());
      assertThat(Civil.month(packed)).isEqualTo(date.getMonthValue());
      assertThat(Civil.day(packed)).isEqualTo(date.getDayOfMonth());
      assertThat(Civil.dayOf(date.getYear(), date.getMonthValue(), date.getDayOfMonth()))
          .isEqualTo(day);
      assertThat(Civil.weekday(day)).isEqualTo(date.getDayOfWeek().getValue() % 7);
      assertThat(Civil.lengthOfMonth(date.getYear(), date.getMonthValue()))
          .isEqualTo(date.lengthOfMonth());
    }
    assertThat(date).isEqualTo("2200-01-01");
  }
}
