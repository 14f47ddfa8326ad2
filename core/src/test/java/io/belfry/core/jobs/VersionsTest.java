package io.belfry.core.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.core.history.RetainSettings;
import io.belfry.core.keys.Keys;
import io.belfry.model.InvalidException;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Payload;
import io.belfry.model.job.Trigger;
import io.belfry.store.Commit;
import io.belfry.store.DelegatingStore;
import io.belfry.store.Outcome;
import io.belfry.store.Scan;
import io.belfry.store.Space;
import io.belfry.store.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class VersionsTest extends JobsDoor {
  private static final JobId REPORT = new JobId("report");

  private static Job job(String description) {
    return Job.named("report")
        .description(description)
        .local("noop")
        .every(Duration.ofHours(1))
        .build();
  }

  private Job put(String description) {
    return await(jobs.put(job(description)));
  }

  private List<Long> generations() {
    return await(jobs.versions(REPORT)).stream().map(Job::generation).toList();
  }

  private static List<Long> down(long newest, long oldest) {
    return LongStream.iterate(newest, each -> each >= oldest, each -> each - 1)
        .boxed()
        .toList();
  }

  @Nested
  class Keeping {
    @Test
    void each_save_is_a_version_and_the_newest_comes_first() {
      assertThat(await(jobs.versions(REPORT))).isEmpty();
      Job first = put("one");
      Job second = put("two");
      Job off = await(jobs.enable(REPORT, false)).orElseThrow();
      assertThat(await(jobs.versions(REPORT))).containsExactly(off, second, first);
      assertThat(await(jobs.get(REPORT))).contains(off);
    }

    @Test
    void what_changes_nothing_is_no_version() {
      put("one");
      assertThat(await(jobs.enable(REPORT, true))).isPresent();
      assertThat(generations()).containsExactly(1L);
    }

    @Test
    void the_last_twenty_are_kept() {
      int saves = 2 * RetainSettings.VERSIONS + 3;
      for (int i = 1; i <= saves; i++) {
        put("save " + i);
      }
      assertThat(generations()).isEqualTo(down(saves, saves - RetainSettings.VERSIONS + 1));
      assertThat(await(store.scan(Scan.all(Keys.VERSIONS))).entries())
          .hasSize(RetainSettings.VERSIONS);
    }

    /** A definition may be large: it is encoded once, for both records. */
    @Test
    void the_definition_and_its_version_are_one_and_the_same() {
      var written = new HashMap<Space, byte[]>();
      var seeing = new DelegatingStore(store) {
        @Override
        public CompletionStage<Outcome> commit(Commit commit) {
          commit.writes().forEach(write -> {
            if (write instanceof Write.Put put) {
              written.put(put.key().space(), put.value());
            }
          });
          return store.commit(commit);
        }
      };
      await(new Jobs(loop, seeing).put(job("one")));
      assertThat(written.get(Keys.VERSIONS)).isNotNull().isSameAs(written.get(Keys.JOBS));
    }

    @Test
    void of_many_saves_at_once_none_is_missing() {
      List<CompletionStage<Job>> saves = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        saves.add(jobs.put(job("save " + i)));
      }
      Map<Long, Job> saved = new HashMap<>();
      saves.forEach(each -> saved.put(await(each).generation(), await(each)));
      assertThat(generations()).isEqualTo(down(10, 1));
      assertThat(await(jobs.versions(REPORT)))
          .allSatisfy(version -> assertThat(version).isEqualTo(saved.get(version.generation())));
    }

    @Test
    void a_deleted_job_keeps_its_versions_and_a_new_one_goes_on_counting() {
      put("one");
      put("two");
      assertThat(await(jobs.delete(REPORT))).isTrue();
      assertThat(generations()).containsExactly(2L, 1L);
      assertThat(await(store.scan(Scan.all(Keys.VERSION_EXPIRY))).entries())
          .singleElement()
          .satisfies(expiry ->
              assertThat(Keys.expiring(expiry.key())).isEqualTo(Keys.versionName(REPORT, 2)));
      put("three");
      assertThat(generations()).containsExactly(3L, 2L, 1L);
    }

    @Test
    void versions_of_a_job_whose_id_begins_alike_are_its_own() {
      put("one");
      var other = new JobId("report-2");
      await(jobs.put(Job.named("report-2").local("noop").build()));
      assertThat(generations()).containsExactly(1L);
      assertThat(await(jobs.versions(other))).hasSize(1);
    }

    @Test
    void one_that_cannot_be_read_is_passed_over() {
      put("one");
      put("two");
      Commit damage =
          Commit.when().put(Keys.version(REPORT, 1), new byte[] {99, 1}).build();
      assertThat(await(store.commit(damage))).isInstanceOf(Outcome.Done.class);
      assertThat(generations()).containsExactly(2L);
      assertThatThrownBy(() -> await(jobs.restore(REPORT, 1))).isInstanceOf(InvalidException.class);
    }

    @Test
    void the_largest_job_fits_and_a_larger_one_is_refused_with_the_limit() {
      Job large = sized(Payload.DEFAULT_LIMIT, 100_000, 60_000);
      assertThat(await(jobs.put(large)).generation()).isEqualTo(1);
      assertThat(await(jobs.put(large)).generation()).isEqualTo(2);
      assertThatThrownBy(() -> await(jobs.put(sized(Payload.DEFAULT_LIMIT, 120_000, 64_000, 'ü'))))
          .isInstanceOf(InvalidException.class)
          .hasMessageContaining("at most " + Versions.JOB_BYTES_MAX + " bytes");
      assertThat(generations()).containsExactly(2L, 1L);
    }

    private static Job sized(int payload, int settings, int labels) {
      return sized(payload, settings, labels, 'x');
    }

    private static Job sized(int payload, int settings, int labels, char letter) {
      byte[] noise = new byte[payload];
      new SplittableRandom(1).nextBytes(noise);
      String text = String.valueOf(letter);
      var metadata = new HashMap<String, String>();
      for (int i = 0; i < labels / 1000; i++) {
        metadata.put("key" + i, text.repeat(1000));
      }
      return Job.named("report")
          .executor(
              new io.belfry.model.job.ExecutorSpec("own", Map.of("text", text.repeat(settings))))
          .payload(Payload.of("application/octet-stream", noise))
          .metadata(metadata)
          .workers(metadata)
          .build();
    }
  }

  @Nested
  class Restoring {
    @Test
    void an_earlier_definition_is_saved_again_as_a_new_generation() {
      Job first = put("one");
      put("two");
      Job restored = await(jobs.restore(REPORT, 1));
      assertThat(restored.generation()).isEqualTo(3);
      assertThat(restored.description()).isEqualTo("one");
      assertThat(restored.saved().orElseThrow().created())
          .isEqualTo(first.saved().orElseThrow().created());
      assertThat(await(jobs.get(REPORT))).contains(restored);
      assertThat(generations()).containsExactly(3L, 2L, 1L);
    }

    @Test
    void a_deleted_job_is_there_again() {
      put("one");
      assertThat(await(jobs.delete(REPORT))).isTrue();
      assertThat(await(jobs.restore(REPORT, 1)).generation()).isEqualTo(2);
      assertThat(entry(Keys.cursor(REPORT))).isPresent();
    }

    @Test
    void a_generation_that_is_not_kept_is_refused() {
      put("one");
      for (long generation : List.of(-1L, 0L, 2L, Long.MAX_VALUE)) {
        assertThatThrownBy(() -> await(jobs.restore(REPORT, generation)))
            .isInstanceOf(InvalidException.class)
            .hasMessageContaining("generation")
            .hasMessageContaining("List the versions");
      }
    }

    @Test
    void what_cannot_be_tied_any_more_is_refused() {
      await(jobs.put(Job.named("extract").local("noop").build()));
      await(jobs.put(Job.named("report")
          .local("noop")
          .after("extract", Trigger.After.Outcome.SUCCEEDED)
          .build()));
      put("two");
      assertThat(await(jobs.delete(new JobId("extract")))).isTrue();
      assertThatThrownBy(() -> await(jobs.restore(REPORT, 1)))
          .isInstanceOf(InvalidException.class)
          .hasMessageContaining("trigger.after");
      assertThat(generations()).containsExactly(2L, 1L);
    }
  }

  @Nested
  class Deleting {
    @Test
    void only_the_generation_that_was_read_is_deleted() {
      put("one");
      put("two");
      assertThatThrownBy(() -> await(jobs.delete(REPORT, OptionalLong.of(1))))
          .isInstanceOf(StaleException.class)
          .hasMessageContaining("generation 1")
          .hasMessageContaining("generation 2");
      assertThat(await(jobs.get(REPORT))).isPresent();
      assertThat(await(jobs.delete(REPORT, OptionalLong.of(2)))).isTrue();
      assertThat(await(jobs.get(REPORT))).isEmpty();
    }

    @Test
    void what_is_gone_already_is_stale() {
      assertThatThrownBy(() -> await(jobs.delete(REPORT, OptionalLong.of(3))))
          .isInstanceOf(StaleException.class)
          .hasMessageContaining("does not exist");
      assertThat(await(jobs.delete(REPORT))).isFalse();
    }
  }
}
