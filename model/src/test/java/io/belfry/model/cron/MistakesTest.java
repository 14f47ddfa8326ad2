package io.belfry.model.cron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong, where, and what to do. */
class MistakesTest {

  private static CronSyntaxException mistake(String expression, Dialect dialect) {
    CronSyntaxException mistake = catchThrowableOfType(
        CronSyntaxException.class, () -> Cron.parse(expression, dialect, "nightly"));
    assertThat(mistake).as(expression).isNotNull();
    return mistake;
  }

  /** Offending "-" stands for nothing: something is missing there. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
          * * * *                   | 7  | -           | 5, 6 or 7 fields, but this has 4
          *                         | 1  | -           | but this has 1
          * * * * * * * *           | 14 | *           | but this has 8
          * * * * * * * * 9         | 14 | * 9         | but this has 9
          0 60 * * * *              | 2  | 60          | minute must be 0-59, but was 60
          60 * * * *                | 0  | 60          | minute must be 0-59
          61 0 * * * *              | 0  | 61          | second must be 0-59
          0 24 * * *                | 2  | 24          | hour must be 0-23
          0 0 0 * *                 | 4  | 0           | day of month must be 1-31
          0 0 32 * *                | 4  | 32          | day of month must be 1-31
          0 0 * 13 *                | 6  | 13          | month must be 1-12
          0 0 * 0 *                 | 6  | 0           | month must be 1-12
          0 0 * * 8                 | 8  | 8           | weekday must be 0-7 (0 and 7 are Sunday)
          * * * * * 1 1969          | 12 | 1969        | year must be 1970-2199
          * * * * * 1 2200          | 12 | 2200        | year must be 1970-2199
          0 30 2 * * 2027           | 11 | 2027        | A year needs all seven fields
          99999999999999999999 * * * * | 0 | 99999999999999999999 | minute must be 0-59
          1,2,60 * * * *            | 4  | 60          | minute must be 0-59
          5-60 * * * *              | 2  | 60          | minute must be 0-59
          0 0 * * MO                | 8  | MO          | Did you mean MON?
          0 0 * * MON,TUX           | 12 | TUX         | Did you mean TUE?
          0 0 * FOO *               | 6  | FOO         | "FOO" is not a month
          0 0 * JANU *              | 6  | JANU        | Did you mean JAN?
          0 0 * * JAN               | 8  | JAN         | "JAN" is not a weekday
          MON * * * *               | 0  | MON         | minute must be a number here
          5- * * * *                | 2  | -           | "5-" has no end
          5-,7 * * * *              | 2  | -           | "5-" has no end
          5-/2 * * * *              | 2  | -           | "5-" has no end
          0 0 * * MON-              | 12 | -           | "MON-" has no end
          */0 * * * *               | 2  | 0           | must be 1-60, but was 0
          */61 * * * *              | 2  | 61          | use @every for other periods
          0 */25 * * *              | 4  | 25          | the step of hour must be 1-24
          */ * * * *                | 2  | -           | the step after "/" is missing
          */a * * * *               | 2  | a           | unexpected "a"
          0 0 0 1 1 * 2030-2027     | 12 | 2030-2027   | a range of years must not run backwards
          0 L * * *                 | 2  | L           | L is only allowed for the day of month and the weekday
          0 0 * L *                 | 6  | L           | L is only allowed for the day of month and the weekday
          0 0 * * L                 | 8  | L           | Write SATL
          0 0 5L * *                | 5  | L           | unexpected "L"
          0 0 L-31 * *              | 6  | 31          | must be 1-30
          0 0 L- * *                | 6  | -           | ends too early
          0 0 LAST * *              | 5  | A           | unexpected "A"
          0 0 1,15W * *             | 6  | 15W         | W must stand alone
          0 0 15W,1 * *             | 4  | 15W         | W must stand alone
          0 0 1,LW * *              | 6  | LW          | W must stand alone
          0 0 1-5W * *              | 4  | 1-5W        | apply to one value
          0 0 * * 1-5L              | 8  | 1-5L        | apply to one value
          0 0 W15 * *               | 4  | W           | 15W
          0 0 * * 5W                | 9  | W           | unexpected "W"
          0 0 * * FRI#6             | 12 | 6           | must be 1-5
          0 0 * * FRI#0             | 12 | 0           | must be 1-5
          0 0 * * FRI#              | 12 | -           | the number after "#" is missing
          0 0 * * FRI##             | 12 | #           | unexpected "#"
          ? * * * *                 | 0  | ?           | Write * for any minute
          0 0 ?,1 * *               | 4  | ?           | must stand alone
          0 0 1,? * *               | 6  | ?           | must stand alone
          1,,2 * * * *              | 2  | -           | empty entry
          ,1 * * * *                | 0  | -           | empty entry
          1, * * * *                | 2  | -           | empty entry
          1;2 * * * *               | 1  | ;           | unexpected ";"
          -5 * * * *                | 0  | -5          | unexpected "-"
          1.5 * * * *               | 1  | .           | unexpected "."
          ** * * * *                | 1  | *           | unexpected "*"
          ５ * * * *                | 0  | ５          | unexpected
          * * * * ＊                | 8  | ＊          | unexpected
          * * * * 😀               | 8  | 😀          | unexpected
          @dayly                    | 0  | @dayly      | The macros are @annually, @daily
          @reboot                   | 0  | @reboot     | not a known macro
          @                         | 0  | @           | not a known macro
          @daily 5                  | 7  | 5           | @daily must stand alone
          @every                    | 6  | -           | needs a duration
          @every 5                  | 7  | 5           | units d, h, m, s
          @every 5x                 | 7  | 5x          | units d, h, m, s
          @every m                  | 7  | m           | units d, h, m, s
          @every 1m1h               | 7  | 1m1h        | in this order
          @every 1m1m               | 7  | 1m1m        | each once
          @every 500ms              | 7  | 500ms       | 30s, 5m, 2h
          @every 0s                 | 7  | 0s          | from 1s to 36500d
          @every 36501d             | 7  | 36501d      | from 1s to 36500d
          @every PT0.5S             | 7  | PT0.5S      | whole seconds
          @every PT-5S              | 7  | PT-5S       | from 1s
          @every P1Y                | 7  | P1Y         | needs a duration
          @every 5s 6s              | 10 | 6s          | takes one duration
          @every 99999999999s       | 7  | 99999999999s | units d, h, m, s
          0 0 0 30 2 *              | 6  | 30 2 *      | can never fire
          0 0 31 4,6,9,11 *         | 4  | 31 4,6,9,11 * | can never fire
          0 0 0 29 2 ? 2027         | 6  | 29 2 ? 2027 | can never fire
          0 0 0 31W 2 ?             | 6  | 31W 2 ?     | can never fire
          H(29-0) * * * *           | 2  | 29-0        | must run forwards
          H(0-29 * * * *            | 6  | -           | ")" is missing
          H(0) * * * *              | 3  | -           | "-" is missing
          H(0-60) * * * *           | 4  | 60          | minute must be 0-59
          0 0 * * H(5-7)            | 10 | 5-7         | within the field
          H-5 * * * *               | 1  | -5          | unexpected "-"
          0 0 0 1 1 * H             | 12 | H           | H is not allowed for the year
          HH * * * *                | 0  | HH          | minute must be a number here
          """)
  void the_place_and_the_reason(String expression, int position, String offending, String words) {
    CronSyntaxException mistake = mistake(expression, Dialect.BELFRY);
    // "-5" in the table is a lone dash that is itself the mistake.
    String expected = offending.equals("-") ? "" : offending.equals("-5") ? "-" : offending;
    assertThat(mistake.position()).as(mistake.getMessage()).isEqualTo(position);
    assertThat(mistake.offending()).as(mistake.getMessage()).isEqualTo(expected);
    assertThat(mistake.getMessage())
        .contains(words)
        .contains("column " + position)
        .contains(expression);
    assertThat(mistake.remedy()).isNotBlank();
  }

  @Nested
  class In_the_Quartz_dialect {

    @Test
    void both_days_may_not_be_question_marks() {
      assertThat(mistake("0 0 12 ? * ?", Dialect.QUARTZ).position()).isEqualTo(11);
    }

    @Test
    void both_days_may_not_be_restricted() {
      CronSyntaxException mistake = mistake("0 0 12 1 * 2", Dialect.QUARTZ);
      assertThat(mistake.position()).isEqualTo(11);
      assertThat(mistake.remedy()).contains("Write ? for one of them");
    }

    @Test
    void sunday_is_1_and_there_is_no_0() {
      assertThat(mistake("0 0 12 ? * 0", Dialect.QUARTZ)).hasMessageContaining("1-7 (1 is Sunday)");
    }
  }

  @Test
  void nothing_is_not_an_expression() {
    for (String blank : new String[] {"", " ", "\t \n"}) {
      CronSyntaxException mistake = mistake(blank, Dialect.BELFRY);
      assertThat(mistake.position()).isZero();
      assertThat(mistake).hasMessageContaining("must not be empty");
    }
  }

  @Test
  void columns_count_from_the_start_of_the_text_even_after_blanks() {
    assertThat(mistake("  0\t 77 * * * *", Dialect.BELFRY).position()).isEqualTo(5);
  }

  @Test
  void an_expression_has_512_characters_at_most() {
    String longest = "0" + ",0".repeat(251) + " * * * * ";
    assertThat(longest).hasSizeLessThan(Source.MAX_LENGTH + 1);
    assertThat(Cron.parse(longest).expression()).startsWith("0,0");
    CronSyntaxException mistake =
        mistake("0" + ",0".repeat(1_000_000) + " * * * *", Dialect.BELFRY);
    assertThat(mistake.position()).isEqualTo(512);
    assertThat(mistake.getMessage()).hasSizeLessThan(1_000).contains("at most 512 characters");
  }

  @Test
  void h_needs_a_job() {
    CronSyntaxException mistake =
        catchThrowableOfType(CronSyntaxException.class, () -> Cron.parse("0 H * * *"));
    assertThat(mistake.position()).isEqualTo(2);
    assertThat(mistake).hasMessageContaining("give the job id");
  }

  @Test
  void a_message_has_what_where_and_what_to_do() {
    assertThat(mistake("0 60 * * * *", Dialect.BELFRY))
        .hasMessage("minute must be 0-59, but was 60, at column 2 of \"0 60 * * * *\"."
            + " Allowed are 0-59, * , - / and H.");
  }

  @Test
  void a_pointer_shows_the_place() {
    assertThat(mistake("0 60 * * * *", Dialect.BELFRY).pointer()).isEqualTo("0 60 * * * *\n  ^^");
  }
}
