package io.belfry.server.rest;

import io.belfry.model.time.Time;
import io.belfry.server.metrics.AnswerMetrics;
import io.belfry.server.rest.Problem.Code;
import io.belfry.server.rest.Shares.Outcome;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The memory that answers take while they are built and until their clients have read them, and the places of those that read much of the store.
 * Both are bounded, for all and for each token, so that whoever asks for large answers and reads them slowly is refused before the heap is full.
 *
 * <pre>
 *   request ──▶ place to read (lists) ──▶ memory for the first part ──▶ built: more as it grows ──▶ what is not needed is given back
 *                                                                                                     │
 *                                               sent, or the connection is gone: the rest is given back ◀──┘
 * </pre>
 *
 * <p>Health checks take none of it. Metrics have a part of their own.
 *
 * <p>Threading: safe.
 */
final class AnswerMemory {
  /** Memory is counted in pieces of this size. */
  static final int UNIT = 1024;

  private static final int PART_OF_HEAP = 8;
  private static final int SHARES = 4;
  private static final long BYTES_MIN = 16L << 20;
  private static final long SHARE_MIN = 8L << 20;
  /** What one request that reads much may hold of records at a time, at the worst. */
  private static final long BYTES_OF_READER = 32L << 20;

  /** Of streams, which have it to themselves: who follows may be slow for as long as it likes. */
  private static final int STREAMS = 4;

  private static final int READERS_MIN = 4;
  private static final int READERS_MAX = 64;
  private static final int READERS_OF_ONE_MIN = 2;
  private static final int SCRAPES_MAX = 64;
  private static final int SCRAPES_OF_ONE_MAX = 8;
  /** What is held for a moment only is waited for. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final Shares memory;
  private final Shares readers;
  private final Shares scrapes;
  private final Shares streams;

  private AnswerMemory(long bytes, int readers, Time time) {
    long share = Math.max(SHARE_MIN, bytes / SHARES);
    this.memory = new Shares((int) (bytes / UNIT), (int) (share / UNIT), time);
    this.readers = new Shares(readers, Math.max(READERS_OF_ONE_MIN, readers / SHARES), time);
    this.streams = new Shares((int) (bytes / STREAMS / UNIT), (int) (share / STREAMS / UNIT), time);
    this.scrapes = new Shares(SCRAPES_MAX, SCRAPES_OF_ONE_MAX, time);
  }

  /** So many bytes; if none are given, a part of the heap. */
  static AnswerMemory of(Optional<Long> bytes, Time time) {
    long heap = Runtime.getRuntime().maxMemory();
    long usual = Math.max(BYTES_MIN, heap / PART_OF_HEAP);
    int readers = Math.clamp(heap / BYTES_OF_READER, READERS_MIN, READERS_MAX);
    return new AnswerMemory(bytes.orElse(usual), readers, time);
  }

  /** In units, for bytes. */
  static int units(long bytes) {
    return Math.toIntExact((bytes + UNIT - 1) / UNIT);
  }

  /** Takes memory before anything is built, and waits for a moment if there is none; a {@link Problem} if there is none then. */
  void take(String token, int units) {
    require(memory.take(token, units, PATIENCE));
  }

  /** Takes more for an answer that is being built; it does not wait, because it holds what others wait for. */
  Outcome grow(String token, int units) {
    return memory.take(token, units, Duration.ZERO);
  }

  void give(String token, int units) {
    memory.give(token, units);
  }

  /** A {@link Problem} unless it was taken. */
  void require(Outcome outcome) {
    switch (outcome) {
      case TAKEN -> {}
      case SHARE_HELD ->
        throw Problem.of(
            Code.TOO_MANY,
            "The answers that this token has asked for, and has not read yet, take its share of the memory for answers (a quarter of limit.answers, or 8 MiB)."
                + " Read them, ask for less at once, or try again later.");
      case ALL_HELD ->
        throw Problem.of(
            Code.UNAVAILABLE,
            "The answers that clients of this server have asked for, and have not read yet, take all the memory for answers (limit.answers), so nothing was done."
                + " Try again later, or another server.");
    }
  }

  /** Takes a place to read much of the store; a {@link Problem} if there is none for a while. */
  void beginReading(String token) {
    switch (readers.take(token, 1, PATIENCE)) {
      case TAKEN -> {}
      case SHARE_HELD ->
        throw Problem.of(
            Code.TOO_MANY,
            "This token has " + readers.each()
                + " requests that list or search running at this server already. Wait for one of them.");
      case ALL_HELD ->
        throw Problem.of(
            Code.UNAVAILABLE,
            "This server carries out " + readers.all()
                + " requests that list or search already, so nothing was done. Try again later, or another server.");
    }
  }

  void endReading(String token) {
    readers.give(token, 1);
  }

  /** Takes a place for metrics, which have a part of their own, until they were read. */
  void beginScrape(String token) {
    if (scrapes.take(token, 1, PATIENCE) != Outcome.TAKEN) {
      throw Problem.of(
          Code.TOO_MANY,
          "Too many answers with metrics wait to be read by their clients. Read them, or try again later.");
    }
  }

  void endScrape(String token) {
    scrapes.give(token, 1);
  }

  /** Takes memory for what a stream sends next; false if there was none for so long. */
  boolean beginSending(String token, int units, Duration patience) {
    return streams.take(token, units, patience) == Outcome.TAKEN;
  }

  void endSending(String token, int units) {
    streams.give(token, units);
  }

  /** Bytes that are held now. */
  long held() {
    return (long) (memory.held() + streams.held()) * UNIT;
  }

  AnswerMetrics figures() {
    return new AnswerMetrics(
        held(),
        (long) memory.all() * UNIT,
        readers.held(),
        Map.of(
            "memory", memory.refusedOfAll(),
            "memory_share", memory.refusedOfShare(),
            "readers", readers.refusedOfAll(),
            "readers_share", readers.refusedOfShare()));
  }
}
