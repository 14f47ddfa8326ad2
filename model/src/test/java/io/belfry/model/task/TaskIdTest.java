package io.belfry.model.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.model.InvalidException;
import io.belfry.model.Seeds;
import io.belfry.model.job.JobId;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TaskIdTest {
  private static final JobId NIGHTLY = new JobId("nightly");
  private static final Instant NEW_YEAR = Instant.parse("2027-01-01T00:00:00Z");

  @Nested
  class Of_a_fire {
    @Test
    void is_the_job_and_the_instant() {
      TaskId id = TaskId.fire(NIGHTLY, NEW_YEAR);
      assertThat(id).hasToString("nightly@2027-01-01T00:00:00Z");
      assertThat(id.isFire()).isTrue();
      assertThat(id.jobId()).contains(NIGHTLY);
      assertThat(id.instant()).contains(NEW_YEAR);
    }

    @Test
    void comes_back_from_its_text() {
      Seeds.each(2000, random -> {
        Instant at =
            Instant.ofEpochMilli(random.nextLong(-62_167_219_200_000L, 253_402_300_800_000L));
        TaskId id = TaskId.fire(new JobId("j" + random.nextInt(1000)), at);
        assertThat(TaskId.parse(id.toString())).isEqualTo(id);
      });
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "nightly@",
          "nightly@now",
          "nightly@2027-01-01T00:00Z",
          "nightly@2027-01-01T00:00:00.000Z",
          "nightly@2027-01-01T01:00:00+01:00",
          "nightly@2027-01-01t00:00:00z",
          "nightly@2027-02-30T00:00:00Z",
          "nightly@2027-01-01T00:00:00Z@2027-01-01T00:00:00Z"
        })
    void has_only_one_spelling(String text) {
      assertThatThrownBy(() -> TaskId.parse(text))
          .isInstanceOf(InvalidException.class)
          .hasMessageContaining("because a task id has one spelling, but was \"" + text + "\"");
    }

    @ParameterizedTest
    @ValueSource(
        strings = {"2027-01-01T00:00:00.000001Z", "+10000-01-01T00:00:00Z", "-0001-01-01T00:00:00Z"
        })
    void has_whole_milliseconds_in_a_year_of_four_digits(String at) {
      assertThatThrownBy(() -> TaskId.fire(NIGHTLY, Instant.parse(at)))
          .hasMessageStartingWith(
              "task.at must be whole milliseconds within the years 0000 to 9999");
      assertThatThrownBy(() -> TaskId.parse("nightly@" + at)).isInstanceOf(InvalidException.class);
    }

    @Test
    void keeps_milliseconds() {
      assertThat(TaskId.fire(NIGHTLY, NEW_YEAR.plusMillis(500)))
          .hasToString("nightly@2027-01-01T00:00:00.500Z");
    }

    @Test
    void needs_a_proper_job() {
      assertThatThrownBy(() -> TaskId.parse("Nightly@2027-01-01T00:00:00Z"))
          .hasMessageStartingWith("id must be 1 to 128");
      assertThatThrownBy(() -> TaskId.parse("@2027-01-01T00:00:00Z"))
          .hasMessageStartingWith("id must be 1 to 128");
    }
  }

  @Nested
  class Of_a_job_triggered_by_hand {
    @Test
    void is_fresh_each_time() {
      RandomGenerator random = new SplittableRandom(1);
      Set<String> ids = new HashSet<>();
      for (int i = 0; i < 10_000; i++) {
        ids.add(TaskId.triggered(NIGHTLY, NEW_YEAR, random).toString());
      }
      assertThat(ids).hasSize(10_000).allMatch(id -> id.matches("nightly![0-9a-hjkmnp-tv-z]{26}"));
    }

    @Test
    void tells_the_job_and_when_it_was_made_and_comes_back_from_its_text() {
      Seeds.each(500, random -> {
        Instant now = Instant.ofEpochMilli(random.nextLong(1L << 47));
        TaskId id = TaskId.triggered(NIGHTLY, now, random);
        assertThat(TaskId.parse(id.toString())).isEqualTo(id);
        assertThat(id.jobId()).contains(NIGHTLY);
        assertThat(id.instant()).contains(now);
        assertThat(id.isFire()).isFalse();
      });
    }

    @Test
    void sorts_by_age() {
      RandomGenerator random = new SplittableRandom(2);
      String older = TaskId.oneOff(NEW_YEAR, random).toString();
      assertThat(TaskId.oneOff(NEW_YEAR.plusMillis(1), random).toString()).isGreaterThan(older);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "nightly!",
          "nightly!abc",
          "nightly!81h455vb4pex5vsknk084sn02q",
          "nightly!01h455vb4pex5vsknk084sn02u"
        })
    void is_refused_if_we_cannot_have_made_it(String text) {
      assertThatThrownBy(() -> TaskId.parse(text))
          .isInstanceOf(InvalidException.class)
          .hasMessageContaining(text);
    }
  }

  @Nested
  class Of_a_task_submitted_alone {
    @ParameterizedTest
    @ValueSource(strings = {"task-001", "Order_7.v2", "7", "a"})
    void may_be_the_callers_own(String text) {
      TaskId id = TaskId.parse(text);
      assertThat(id).isEqualTo(new TaskId.OneOff(text)).hasToString(text);
      assertThat(id.jobId()).isEmpty();
      assertThat(id.instant()).isEmpty();
    }

    @Test
    void may_be_fresh() {
      TaskId id = TaskId.oneOff(NEW_YEAR, new SplittableRandom(3));
      assertThat(TaskId.parse(id.toString())).isEqualTo(id);
      assertThat(id.instant()).contains(NEW_YEAR);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a b", "a/b", "..", ".hidden", "ä", "a\u0000"})
    void is_plain(String text) {
      assertThatThrownBy(() -> TaskId.parse(text)).isInstanceOf(InvalidException.class);
    }

    @Test
    void is_not_endless() {
      assertThatThrownBy(() -> TaskId.parse("a".repeat(129))).isInstanceOf(InvalidException.class);
    }
  }
}
