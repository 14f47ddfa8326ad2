package io.belfry.server.rest;

import io.belfry.server.rest.Shares.Outcome;

/**
 * What one request holds of the memory for answers, until its answer was sent.
 *
 * <p>Threading: safe; the request's own thread takes, and whoever sees its end gives back.
 */
final class AnswerReservation {
  private final AnswerMemory memory;
  private final String token;
  private int units;
  private boolean reads;
  private boolean scrapes;

  AnswerReservation(AnswerMemory memory, String token) {
    this.memory = memory;
    this.token = token;
  }

  /** Takes what the cost says before anything is built; a {@link Problem} if there is no room. */
  void begin(Cost cost) {
    if (cost.reads) {
      memory.beginReading(token);
      synchronized (this) {
        reads = true;
      }
    }
    begin(cost.bytes);
  }

  /** Takes memory for so many bytes before anything is done; a {@link Problem} if there is no room. */
  void begin(long bytes) {
    int more = AnswerMemory.units(bytes) - units();
    if (more > 0) {
      memory.take(token, more);
      add(more);
    }
  }

  /** Takes a place for metrics; a {@link Problem} if there is none. */
  void beginScrape() {
    memory.beginScrape(token);
    synchronized (this) {
      scrapes = true;
    }
  }

  private synchronized int units() {
    return units;
  }

  private synchronized void add(int more) {
    units += more;
  }

  /** Takes more, so that it is enough for so many bytes, or says why it cannot. */
  Outcome growTo(long bytes) {
    int more = AnswerMemory.units(bytes) - units();
    if (more <= 0) {
      return Outcome.TAKEN;
    }
    Outcome outcome = memory.grow(token, more);
    if (outcome == Outcome.TAKEN) {
      add(more);
    }
    return outcome;
  }

  /** A {@link Problem} that says why there was no room. */
  void refuse(Outcome outcome) {
    memory.require(outcome);
  }

  /** The answer is built, and takes so many bytes: what was held beyond them is given back. */
  void built(long bytes) {
    int rest;
    synchronized (this) {
      rest = Math.max(0, units - AnswerMemory.units(bytes));
      units -= rest;
    }
    if (rest > 0) {
      memory.give(token, rest);
    }
    endReading();
  }

  /** The request reads no more of the store. */
  private void endReading() {
    boolean did;
    synchronized (this) {
      did = reads;
      reads = false;
    }
    if (did) {
      memory.endReading(token);
    }
  }

  /** The answer was sent, or nobody waits for it any more. */
  void end() {
    built(0);
    boolean scraped;
    synchronized (this) {
      scraped = scrapes;
      scrapes = false;
    }
    if (scraped) {
      memory.endScrape(token);
    }
  }

  synchronized boolean isEmpty() {
    return units == 0 && !scrapes && !reads;
  }
}
