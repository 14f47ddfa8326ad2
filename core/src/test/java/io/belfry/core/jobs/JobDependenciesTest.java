package io.belfry.core.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.core.keys.Keys;
import io.belfry.model.InvalidException;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobBuilder;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Trigger.After.Outcome;
import io.belfry.store.Scan;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobDependenciesTest extends JobsDoor {
  private static JobBuilder job(String id) {
    return Job.named(id).local("noop");
  }

  private Job first(String id) {
    return await(jobs.put(job(id).every(Duration.ofHours(1)).build()));
  }

  private Job follow(String id, String predecessor) {
    return await(jobs.put(job(id).after(predecessor, Outcome.SUCCEEDED).build()));
  }

  private List<String> edges() {
    return await(store.scan(Scan.all(Keys.AFTER))).entries().stream()
        .map(entry -> entry.key().text())
        .filter(name -> name.contains("/"))
        .toList();
  }

  @Test
  void a_job_runs_after_one_that_exists() {
    first("extract");
    follow("load", "extract");
    assertThat(edges()).containsExactly("extract/load");
    assertThatThrownBy(() -> follow("report", "extrakt"))
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("trigger.after")
        .hasMessageContaining("extrakt")
        .hasMessageContaining("must be a job that exists");
    assertThat(await(jobs.get(new JobId("report")))).isEmpty();
  }

  @Test
  void there_is_always_room_to_say_after_which_task_a_job_runs() {
    first("extract");
    var metadata = new HashMap<String, String>();
    for (int i = 0; i < 63; i++) {
      metadata.put("entry" + i, "x");
    }
    JobBuilder load = job("load").after("extract", Outcome.SUCCEEDED);
    await(jobs.put(load.metadata(metadata).build()));
    metadata.put("one-too-many", "x");
    assertThatThrownBy(() -> await(jobs.put(load.metadata(metadata).build())))
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("64 entries");
    assertThat(await(jobs.get(new JobId("load"))).orElseThrow().work().metadata())
        .hasSize(63);
  }

  @Test
  void a_ring_is_refused() {
    first("a");
    follow("b", "a");
    follow("c", "b");
    assertThatThrownBy(() -> follow("a", "c"))
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("cycle");
    assertThatThrownBy(() -> follow("b", "c")).isInstanceOf(InvalidException.class);
    assertThat(edges()).containsExactly("a/b", "b/c");
  }

  @Test
  void a_chain_has_an_end() {
    first("j0");
    for (int i = 1; i < JobDependencies.CHAIN_MAX; i++) {
      follow("j" + i, "j" + (i - 1));
    }
    follow("j" + JobDependencies.CHAIN_MAX, "j" + (JobDependencies.CHAIN_MAX - 1));
    assertThatThrownBy(() -> follow("over", "j" + JobDependencies.CHAIN_MAX))
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("Split the chain");
  }

  @Test
  void so_many_run_after_one() {
    first("root");
    for (int i = 0; i < JobDependencies.FOLLOWERS_MAX; i++) {
      follow("leaf" + i, "root");
    }
    assertThatThrownBy(() -> follow("over", "root"))
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("at most " + JobDependencies.FOLLOWERS_MAX);
    follow("leaf0", "root");
  }

  @Test
  void a_job_that_others_run_after_is_not_deleted() {
    first("extract");
    follow("load", "extract");
    follow("report", "extract");
    assertThatThrownBy(() -> await(jobs.delete(new JobId("extract"))))
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("load, report");
    assertThat(await(jobs.delete(new JobId("load")))).isTrue();
    assertThat(await(jobs.delete(new JobId("report")))).isTrue();
    assertThat(edges()).isEmpty();
    assertThat(await(jobs.delete(new JobId("extract")))).isTrue();
  }

  @Test
  void another_trigger_unties_it() {
    first("extract");
    first("other");
    follow("load", "extract");
    follow("load", "other");
    assertThat(edges()).containsExactly("other/load");
    first("load");
    assertThat(edges()).isEmpty();
  }

  @Test
  void what_does_not_change_the_trigger_leaves_the_tie_as_it_was() {
    first("extract");
    follow("load", "extract");
    long before = await(store.scan(Keys.followers(new JobId("extract"))))
        .entries()
        .getFirst()
        .revision();
    await(jobs.enable(new JobId("load"), false));
    await(jobs.put(
        job("load").description("new").after("extract", Outcome.SUCCEEDED).build()));
    assertThat(await(store.scan(Keys.followers(new JobId("extract"))))
            .entries()
            .getFirst()
            .revision())
        .isEqualTo(before);
  }
}
