package io.belfry.core.record;

/** Progress, logs and late reports of attempts. Threading: stateless. */
final class LogCodec {
  private static final LateReport.Said[] SAID = LateReport.Said.values();

  private LogCodec() {}

  static void writeProgress(Writer out, Progress progress) {
    out.real(progress.fraction());
    out.text(progress.message());
    out.instant(progress.at());
  }

  static Progress readProgress(Reader in) {
    return new Progress(in.real(), in.text(), in.instant());
  }

  static void writeHead(Writer out, LogHead head) {
    TaskIdCodec.write(out, head.task());
    out.number(head.token());
    out.number(head.attempt());
    out.text(head.worker());
    out.instant(head.last());
    out.number(head.span());
    out.number(head.pieces());
    out.number(head.bytes());
    out.number(head.cutLines());
    out.flag(head.complete());
  }

  static LogHead readHead(Reader in) {
    return new LogHead(
        TaskIdCodec.read(in),
        in.number(),
        in.integer(),
        in.text(),
        in.instant(),
        in.integer(),
        in.number(),
        in.number(),
        in.number(),
        in.flag());
  }

  static void writeLate(Writer out, LateReport late) {
    TaskIdCodec.write(out, late.task());
    out.number(late.attempt());
    out.number(late.token());
    out.text(late.worker());
    out.instant(late.at());
    out.constant(late.said());
    out.text(late.message());
  }

  static LateReport readLate(Reader in) {
    return new LateReport(
        TaskIdCodec.read(in),
        in.integer(),
        in.number(),
        in.text(),
        in.instant(),
        in.constant(SAID),
        in.text());
  }

  static void writePiece(Writer out, LogPiece piece) {
    out.number(piece.number());
    PayloadCodec.write(out, piece.text());
  }

  static LogPiece readPiece(Reader in) {
    return new LogPiece(in.number(), PayloadCodec.read(in));
  }
}
