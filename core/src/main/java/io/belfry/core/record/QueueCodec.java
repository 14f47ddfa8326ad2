package io.belfry.core.record;

/** Queues, their offers, and limits. Threading: stateless. */
final class QueueCodec {
  private static final int PAUSED = 1;
  private static final int FULL = 1;
  private static final QueueRecord.Mode[] MODES = QueueRecord.Mode.values();

  private QueueCodec() {}

  static void writeQueue(Writer out, QueueRecord queue) {
    out.number(queue.paused() ? PAUSED : 0);
    out.constant(queue.mode());
    out.number(queue.generation());
  }

  static QueueRecord readQueue(Reader in) {
    boolean paused = in.flags(PAUSED) != 0;
    return new QueueRecord(in.constant(MODES), paused, in.number());
  }

  static void writeOffer(Writer out, Offer offer) {
    out.number(offer.queueRevision());
    out.number(offer.needs().size());
    offer.needs().forEach(out::texts);
    out.number(offer.items().size());
    for (Offer.Item item : offer.items()) {
      int begun = out.begin();
      TaskIdCodec.write(out, item.task());
      out.number(item.revision());
      out.number(item.need());
      out.end(begun);
    }
  }

  static Offer readOffer(Reader in) {
    return new Offer(in.number(), in.list(Reader::texts), in.list(QueueCodec::readItem));
  }

  private static Offer.Item readItem(Reader in) {
    int outer = in.enter();
    var item = new Offer.Item(TaskIdCodec.read(in), in.number(), in.integer());
    in.leave(outer);
    return item;
  }

  static void writeFullness(Writer out, Fullness fullness) {
    out.number(fullness.full() ? FULL : 0);
    out.number(fullness.waiting());
    out.number(fullness.limit());
  }

  static Fullness readFullness(Reader in) {
    boolean full = in.flags(FULL) != 0;
    return new Fullness(full, in.number(), in.number());
  }
}
