package io.belfry.core.record;

import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/** One kind of record: how to generate, encode and decode it. */
record Kind<R>(
    String name,
    Function<RandomGenerator, R> any,
    Function<R, byte[]> encode,
    Function<byte[], R> decode) {

  static final List<Kind<?>> ALL = List.of(
      new Kind<>("task", AnyTask::task, Records::encode, Records::task),
      new Kind<>("job", AnyJob::job, Records::encode, Records::job),
      new Kind<>("cursor", AnyRecord::cursor, Records::encode, Records::cursor),
      new Kind<>("term", AnyRecord::term, Records::encode, Records::term),
      new Kind<>("node", AnyRecord::node, Records::encode, Records::node),
      new Kind<>("worker", AnyRecord::worker, Records::encode, Records::worker),
      new Kind<>(
          "order to a worker", AnyRecord::workerOrder, Records::encode, Records::workerOrder),
      new Kind<>("inbox", AnyRecord::inbox, Records::encode, Records::inbox),
      new Kind<>("reports", AnyRecord::reports, Records::encode, Records::reports),
      new Kind<>("news", AnyRecord::news, Records::encode, Records::news),
      new Kind<>("history batch", AnyRecord::endedBatch, Records::encode, Records::endedBatch),
      new Kind<>("request", AnyRecord::request, Records::encode, Records::request),
      new Kind<>(
          "namespaceSettings", AnyRecord::settings, Records::encode, Records::namespaceSettings),
      new Kind<>("queue", AnyRecord::queue, Records::encode, Records::queue),
      new Kind<>("calendar", AnyCalendar::calendar, Records::encode, Records::calendar),
      new Kind<>("calendarChange", AnyCalendar::change, Records::encode, Records::calendarChange),
      new Kind<>("offer", AnyRecord::offer, Records::encode, Records::offer),
      new Kind<>("fullness", AnyRecord::fullness, Records::encode, Records::fullness),
      new Kind<>("dedup", AnyRecord::dedup, Records::encode, Records::dedup),
      new Kind<>("skippedRange", AnyRecord::skipped, Records::encode, Records::skippedRange),
      new Kind<>("segmentHead", AnyRecord::segmentHead, Records::encode, Records::segmentHead),
      new Kind<>("segmentCount", AnyRecord::segmentCount, Records::encode, Records::segmentCount),
      new Kind<>("forgotten", AnyRecord::forgotten, Records::encode, Records::forgotten),
      new Kind<>("progress", AnyRecord::progress, Records::encode, Records::progress),
      new Kind<>("logHead", AnyRecord::logHead, Records::encode, Records::logHead),
      new Kind<>("logPiece", AnyRecord::logPiece, Records::encode, Records::logPiece),
      new Kind<>("lateReport", AnyRecord::lateReport, Records::encode, Records::lateReport),
      new Kind<>("rollup", AnyRecord::rollup, Records::encode, Records::rollup),
      new Kind<>("eventBatch", AnyRecord::eventBatch, Records::encode, Records::eventBatch),
      new Kind<>("cancelRequest", AnyTask::cancel, Records::encode, Records::cancelRequest));

  byte[] anyEncoded(RandomGenerator random) {
    return encode.apply(any.apply(random));
  }

  @Override
  public String toString() {
    return name;
  }
}
