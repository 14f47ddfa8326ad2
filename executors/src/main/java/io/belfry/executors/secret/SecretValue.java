package io.belfry.executors.secret;

/**
 * A secret with its destinations.
 *
 * @param value never shown; {@link #toString} omits it
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
