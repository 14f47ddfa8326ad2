package io.belfry.client;

import java.time.Instant;
import java.util.Optional;

/** Filter and page size for listing tasks. An empty filter matches all. Threading: immutable. */
public record TaskQuery(
    Optional<String> state,
    Optional<String> job,
    Optional<String> queue,
    Optional<String> worker,
    Optional<Instant> since,
    Optional<Instant> until,
    Optional<Integer> limit,
    Optional<String> cursor) {

  /** All tasks: unfinished tasks first, then finished tasks, the most recently finished first. */
  public static TaskQuery all() {
    Optional<String> none = Optional.empty();
    Optional<Instant> ever = Optional.empty();
    return new TaskQuery(none, none, none, none, ever, ever, Optional.empty(), none);
  }

  public TaskQuery state(String to) {
    return new TaskQuery(Optional.of(to), job, queue, worker, since, until, limit, cursor);
  }

  public TaskQuery job(String to) {
    return new TaskQuery(state, Optional.of(to), queue, worker, since, until, limit, cursor);
  }

  public TaskQuery queue(String to) {
    return new TaskQuery(state, job, Optional.of(to), worker, since, until, limit, cursor);
  }

  public TaskQuery worker(String to) {
    return new TaskQuery(state, job, queue, Optional.of(to), since, until, limit, cursor);
  }

  public TaskQuery since(Instant to) {
    return new TaskQuery(state, job, queue, worker, Optional.of(to), until, limit, cursor);
  }

  public TaskQuery until(Instant to) {
    return new TaskQuery(state, job, queue, worker, since, Optional.of(to), limit, cursor);
  }

  /** Number of tasks per page, 1 to 1000. */
  public TaskQuery limit(int to) {
    return new TaskQuery(state, job, queue, worker, since, until, Optional.of(to), cursor);
  }

  /** Cursor of the page: {@link Page#next} of the previous page. */
  public TaskQuery cursor(String to) {
    return new TaskQuery(state, job, queue, worker, since, until, limit, Optional.of(to));
  }

  Call on(Call call) {
    return call.with("state", state)
        .with("job", job)
        .with("queue", queue)
        .with("worker", worker)
        .with("since", since)
        .with("until", until)
        .with("limit", limit)
        .with("cursor", cursor);
  }
}
