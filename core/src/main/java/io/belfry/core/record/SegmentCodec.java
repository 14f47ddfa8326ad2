package io.belfry.core.record;

import java.nio.ByteBuffer;
import java.util.List;

/** Heads of segments and rollups of finished tasks. Threading: stateless. */
final class SegmentCodec {
  private SegmentCodec() {}

  static void writeHead(Writer out, SegmentHead head) {
    out.number(head.count());
    out.signed(head.firstEnd());
    out.signed(head.lastEnd());
    out.number(head.ends().size());
    head.ends().forEach(out::number);
    out.number(head.rated());
    out.signed(head.until());
    out.number(head.bytes());
    writeBloom(out, head.tasks());
    writeBloom(out, head.jobs());
  }

  static SegmentHead readHead(Reader in) {
    int count = in.integer();
    long first = in.signed();
    long last = in.signed();
    List<Integer> ends = in.list(Reader::integer);
    if (ends.size() < Rollup.ENDS.size()) {
      throw in.damaged(
          "counts of " + ends.size() + " states where there are " + Rollup.ENDS.size());
    }
    return new SegmentHead(
        count,
        first,
        last,
        ends,
        in.integer(),
        in.signed(),
        in.integer(),
        readBloom(in),
        readBloom(in));
  }

  private static void writeBloom(Writer out, Bloom bloom) {
    out.number(bloom.bits().length);
    out.bytes(ByteBuffer.wrap(bloom.bits()));
  }

  private static Bloom readBloom(Reader in) {
    byte[] bits = new byte[in.count()];
    if (bits.length == 0) {
      throw in.damaged("a filter without bits");
    }
    in.bytes(bits.length).get(bits);
    return new Bloom(bits);
  }

  static void writeCount(Writer out, SegmentCount count) {
    out.signed(count.until());
    out.number(count.rated());
    out.number(count.pieces().size());
    for (SegmentCount.Piece piece : count.pieces()) {
      out.text(piece.job());
      out.number(piece.keep());
      out.number(piece.count());
      out.signed(piece.firstEnd());
      out.signed(piece.lastEnd());
    }
  }

  static SegmentCount readCount(Reader in) {
    return new SegmentCount(in.signed(), in.integer(), in.list(SegmentCodec::readPiece));
  }

  private static SegmentCount.Piece readPiece(Reader in) {
    return new SegmentCount.Piece(in.text(), in.integer(), in.integer(), in.signed(), in.signed());
  }

  static void writeForgotten(Writer out, Forgotten forgotten) {
    out.signed(forgotten.lastEnd());
  }

  static Forgotten readForgotten(Reader in) {
    return new Forgotten(in.signed());
  }

  static void writeRollup(Writer out, Rollup rollup) {
    out.number(rollup.ends.length);
    for (long count : rollup.ends) {
      out.number(count);
    }
    out.number(rollup.retries);
    writeHistogram(out, rollup.runTime);
    writeHistogram(out, rollup.lateness);
  }

  static void writeBatch(Writer out, RollupBatch batch) {
    out.number(batch.sheets().size());
    for (RollupBatch.Sheet sheet : batch.sheets()) {
      out.text(sheet.job());
      out.number(sheet.hour());
      writeRollup(out, sheet.rollup());
    }
  }

  static RollupBatch readBatch(Reader in) {
    return new RollupBatch(
        in.list(each -> new RollupBatch.Sheet(each.text(), each.number(), readRollup(each))));
  }

  static void writeProgress(Writer out, RollupProgress progress) {
    out.number(progress.batches().size());
    progress.batches().forEach(out::text);
    out.text(progress.lastJob());
    out.number(progress.lastHour());
  }

  static RollupProgress readProgress(Reader in) {
    return new RollupProgress(in.list(Reader::text), in.text(), in.number());
  }

  static Rollup readRollup(Reader in) {
    var rollup = new Rollup();
    int states = in.count();
    if (states != rollup.ends.length) {
      throw in.damaged("counts of " + states + " states where there are " + rollup.ends.length);
    }
    for (int i = 0; i < states; i++) {
      rollup.ends[i] = in.number();
    }
    rollup.retries = in.number();
    readHistogram(in, rollup.runTime);
    readHistogram(in, rollup.lateness);
    return rollup;
  }

  /** Only the buckets that are not empty, each as its distance from the previous one. */
  private static void writeHistogram(Writer out, Histogram histogram) {
    int begun = out.begin();
    int filled = 0;
    for (int i = 0; i < histogram.buckets(); i++) {
      filled += histogram.at(i) == 0 ? 0 : 1;
    }
    out.number(filled);
    int before = 0;
    for (int i = 0; i < histogram.buckets(); i++) {
      if (histogram.at(i) != 0) {
        out.number(i - before);
        out.number(histogram.at(i));
        before = i;
      }
    }
    out.end(begun);
  }

  private static void readHistogram(Reader in, Histogram histogram) {
    int outer = in.enter();
    int filled = in.count();
    long bucket = 0;
    for (int i = 0; i < filled; i++) {
      bucket += in.integer();
      if (bucket < 0 || bucket >= Histogram.BUCKETS) {
        throw in.damaged("bucket " + bucket + " of " + Histogram.BUCKETS);
      }
      long times = in.number();
      if (times == 0) {
        throw in.damaged("an empty bucket");
      }
      histogram.add((int) bucket, times);
    }
    in.leave(outer);
  }
}
