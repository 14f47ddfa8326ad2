package io.belfry.core.submit;

import io.belfry.model.job.KeyTemplate;
import io.belfry.model.job.Limit;
import io.belfry.model.job.Work;
import java.util.List;
import java.util.Optional;

/**
 * Fills in the key of a limit when a task is created: from then on it is plain text, which later edits of the job do not change.
 * Threading: as its payload reader.
 */
public final class LimitKeys {
  private final PayloadPath payloads;

  public LimitKeys(PayloadPath payloads) {
    this.payloads = payloads;
  }

  /**
   * The work of a task.
   *
   * @param job the id of its job, or the name of a task without a job
   * @throws io.belfry.model.InvalidException if the key is an invalid template
   */
  public Work fill(Work work, String job) {
    Limit limit = work.limit();
    if (limit.key().isEmpty() || !KeyTemplate.isTemplate(limit.key().get())) {
      return work;
    }
    String key = KeyTemplate.parse(limit.key().get()).fill(new KeyTemplate.Values() {
      @Override
      public String job() {
        return job;
      }

      @Override
      public String queue() {
        return work.queue();
      }

      @Override
      public Optional<String> metadata(String name) {
        return Optional.ofNullable(work.metadata().get(name));
      }

      @Override
      public Optional<String> payload(List<String> path) {
        return payloads.find(work.payload(), path);
      }
    });
    return work.withLimit(new Limit(limit.concurrency(), limit.rate(), Optional.of(key)));
  }
}
