package io.belfry.model.job;

import io.belfry.model.Check;

/** Into how many shards a fire is split. */
public sealed interface Shards {

  /** A fixed number; 1 means that the fire is not split. */
  record Fixed(int count) implements Shards {
    private static final int COUNT_MAX = 10_000;

    public Fixed {
      Check.between("shards", count, 1, COUNT_MAX, "each shard is a task of its own");
    }

    @Override
    public String toString() {
      return Integer.toString(count);
    }
  }

  /** One shard for each worker that is alive when the job fires. */
  record PerWorker() implements Shards {
    @Override
    public String toString() {
      return "workers";
    }
  }

  Shards ONE = new Fixed(1);

  static Shards parse(String text) {
    if (text.strip().equals("workers")) {
      return new PerWorker();
    }
    try {
      return new Fixed(Integer.parseInt(text.strip()));
    } catch (NumberFormatException e) {
      throw Check.refusal(
          "shards",
          text,
          "must be a whole number or the word workers, because it is the number of tasks of one fire",
          "Write for example 4, or workers for one shard on each worker.");
    }
  }
}
