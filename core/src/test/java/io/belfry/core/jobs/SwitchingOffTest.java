package io.belfry.core.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.core.keys.Keys;
import io.belfry.core.record.Records;
import io.belfry.model.InvalidException;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.job.JobVersion;
import io.belfry.model.time.Time;
import io.belfry.store.Commit;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

/** A job whose only time has passed. */
class SwitchingOffTest extends JobsDoor {
  private static final JobId ONCE = new JobId("once");

  private Job saveOneThatIsOver() {
    Instant past = Time.system().wall().minusSeconds(60).truncatedTo(ChronoUnit.SECONDS);
    Job job = await(
        jobs.put(Job.named("once").local("noop").at(past.plusSeconds(3600)).build()));
    JobVersion saved = job.saved().orElseThrow();
    Job over = job.edit().at(past).saved(saved).build();
    await(store.commit(Commit.when().put(Keys.job(ONCE), Records.encode(over)).build()));
    return over;
  }

  @Test
  void can_be_switched_off_and_described_and_saved_as_it_is() {
    Job over = saveOneThatIsOver();
    assertThat(await(jobs.put(over.edit().description("done").build())).description())
        .isEqualTo("done");
    assertThat(await(jobs.enable(ONCE, false)).orElseThrow().enabled()).isFalse();
  }

  @Test
  void cannot_be_switched_on_again_or_given_another_time_that_has_passed() {
    Job over = saveOneThatIsOver();
    await(jobs.enable(ONCE, false));
    assertThatThrownBy(() -> await(jobs.enable(ONCE, true)))
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("can never fire otherwise");
    Instant other = Time.system().wall().minusSeconds(90).truncatedTo(ChronoUnit.SECONDS);
    assertThatThrownBy(() -> await(jobs.put(over.edit().at(other).enabled(false).build())))
        .isInstanceOf(InvalidException.class);
  }
}
