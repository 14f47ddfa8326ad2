package io.belfry.store.redis;

import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The life of a data set as a client knows it; sent with every call. Redis changes its replication id whenever another
 * server, or the same one after a restart, takes over with a data set that may lack the last steps.
 *
 * @param acknowledgements how many replicas must have a step before it counts; kept in the data set
 */
record DataSetLife(long epoch, String replicationId, int acknowledgements) {
  private static final Pattern FORM = Pattern.compile("(\\d{1,10}):([0-9a-f]*):(\\d{1,4})");

  /**
   * What a script says of the epoch.
   *
   * @param beganAt the counter of steps when the epoch began; empty when it began under an earlier version
   */
  record Told(DataSetLife known, OptionalLong beganAt) {
    /** From {'E' or 'K', known, counter}. */
    static Told parse(List<?> reply) {
      String began = reply.size() < 3 ? "" : Bytes.ascii(reply.get(2));
      return new Told(
          DataSetLife.parse(Bytes.ascii(reply.get(1))),
          began.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(began)));
    }
  }

  /** What a client knows that was never told. */
  static DataSetLife nothing(int acknowledgements) {
    return new DataSetLife(0, "", acknowledgements);
  }

  static DataSetLife parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "The script answered '" + text + "' where epoch:replication id:acknowledgements"
              + " was due. Do all nodes run the same version?");
    }
    return new DataSetLife(
        Long.parseLong(matcher.group(1)), matcher.group(2), Integer.parseInt(matcher.group(3)));
  }

  boolean sameLife(DataSetLife other) {
    return epoch == other.epoch && replicationId.equals(other.replicationId);
  }

  @Override
  public String toString() {
    return epoch + ":" + replicationId + ":" + acknowledgements;
  }
}
