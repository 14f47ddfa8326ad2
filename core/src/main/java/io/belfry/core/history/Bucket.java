package io.belfry.core.history;

/** The length of the periods in statistics; they begin at whole hours and days of UTC. */
public enum Bucket {
  HOUR(1),
  DAY(24);

  private final int hours;

  Bucket(int hours) {
    this.hours = hours;
  }

  int hours() {
    return hours;
  }
}
