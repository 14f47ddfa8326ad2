package io.belfry.store.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.ArrayList;
import java.util.List;

/** What every script call begins with: see {@code begin.lua}. Threading: immutable. */
final class Envelope {
  private static final byte[] ONE_KEY = {'1'};

  private final byte[] meta;
  private final byte[] limits;
  private final byte[] cluster;

  Envelope(RedisSettings settings) {
    meta = (settings.tag() + "m").getBytes(US_ASCII);
    RedisSettings.FeedLimits feed = settings.feed();
    limits =
        (feed.bytes() + " " + feed.entries() + " " + feed.keep().toMillis()).getBytes(US_ASCII);
    cluster =
        (settings.address().kind() == RedisAddress.Kind.CLUSTER ? "1" : "0").getBytes(US_ASCII);
  }

  /** The arguments of an EVALSHA. */
  List<byte[]> command(Call<?> call, DataSetLife known) {
    List<byte[]> all = open(call.verb(), known);
    call.arguments(all);
    return all;
  }

  List<byte[]> open(Scripts verb, DataSetLife known) {
    var all = new ArrayList<byte[]>(64);
    all.add(verb.sha());
    all.add(ONE_KEY);
    all.add(meta);
    all.add(known.toString().getBytes(US_ASCII));
    all.add(limits);
    all.add(cluster);
    return all;
  }
}
