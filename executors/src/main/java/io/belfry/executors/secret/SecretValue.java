package io.belfry.executors.secret;

/**
 * A secret, and where it may be sent.
 *
 * @param value never shown: {@link #toString} leaves it out
 */
public record SecretValue(String value, Destinations destinations) {

  /** A secret that may be sent to any server and to scripts. */
  public static SecretValue unrestricted(String value) {
    return new SecretValue(value, Destinations.ANY);
  }

  @Override
  public String toString() {
    return "a secret for " + destinations;
  }
}
