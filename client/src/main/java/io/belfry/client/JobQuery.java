package io.belfry.client;

import java.util.Optional;

/** Filter, order and page size for listing jobs. An empty filter matches all. Threading: immutable. */
public record JobQuery(
    Optional<String> words,
    Optional<Boolean> enabled,
    Optional<String> label,
    Optional<String> executor,
    Optional<String> queue,
    Optional<String> sort,
    Optional<Integer> limit,
    Optional<String> cursor) {

  /** All jobs, ordered by id. */
  public static JobQuery all() {
    Optional<String> none = Optional.empty();
    return new JobQuery(none, Optional.empty(), none, none, none, none, Optional.empty(), none);
  }

  /** Jobs whose id, name or description contains these words. */
  public JobQuery words(String to) {
    return new JobQuery(Optional.of(to), enabled, label, executor, queue, sort, limit, cursor);
  }

  public JobQuery enabled(boolean to) {
    return new JobQuery(words, Optional.of(to), label, executor, queue, sort, limit, cursor);
  }

  /** Jobs with this label in the metadata: {@code key} or {@code key=value}. */
  public JobQuery label(String to) {
    return new JobQuery(words, enabled, Optional.of(to), executor, queue, sort, limit, cursor);
  }

  public JobQuery executor(String to) {
    return new JobQuery(words, enabled, label, Optional.of(to), queue, sort, limit, cursor);
  }

  public JobQuery queue(String to) {
    return new JobQuery(words, enabled, label, executor, Optional.of(to), sort, limit, cursor);
  }

  /** {@code id}, {@code name}, {@code next} or {@code updated}; a leading minus reverses the order. */
  public JobQuery sort(String to) {
    return new JobQuery(words, enabled, label, executor, queue, Optional.of(to), limit, cursor);
  }

  /** Number of jobs per page, 1 to 1000. */
  public JobQuery limit(int to) {
    return new JobQuery(words, enabled, label, executor, queue, sort, Optional.of(to), cursor);
  }

  /** Cursor of the page: {@link Page#next} of the previous page. */
  public JobQuery cursor(String to) {
    return new JobQuery(words, enabled, label, executor, queue, sort, limit, Optional.of(to));
  }

  Call on(Call call) {
    return call.with("q", words)
        .with("enabled", enabled)
        .with("label", label)
        .with("executor", executor)
        .with("queue", queue)
        .with("sort", sort)
        .with("limit", limit)
        .with("cursor", cursor);
  }
}
