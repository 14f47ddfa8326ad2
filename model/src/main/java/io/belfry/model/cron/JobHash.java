package io.belfry.model.cron;

/**
 * The hash that resolves {@code H} fields for one job. A thousand jobs with {@code H} are spread over the hour,
 * but each of them always gets the same minute, on every node and after every restart. So the value
 * depends on the job id alone, and this arithmetic must never change. Threading: immutable.
 */
final class JobHash {

  /** No job id is known; {@code H} is refused. */
  static final JobHash NONE = new JobHash(0);

  private final int seed;

  private JobHash(int seed) {
    this.seed = seed;
  }

  static JobHash by(String jobId) {
    return new JobHash(jobId.hashCode());
  }

  boolean isKnown() {
    return this != NONE;
  }

  /** A number from 0 to below {@code size}, independent for each field. */
  int pick(Field field, int size) {
    int mixed = seed + 0x9E37_79B9 * field.name().hashCode();
    mixed = (mixed ^ mixed >>> 16) * 0x85EB_CA6B;
    mixed = (mixed ^ mixed >>> 13) * 0xC2B2_AE35;
    mixed ^= mixed >>> 16;
    return Integer.remainderUnsigned(mixed, size);
  }
}
