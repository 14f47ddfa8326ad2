package io.belfry.server.rest;

import io.belfry.server.connection.Exchange;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is left of a body when the answer is ready before all of it was read.
 *
 * <p>The web server says that it closes such a connection, and does. But what the client still sends meets a closed
 * door then, and its operating system throws away what has come and was not read: it would never hear why it was
 * refused. So what is not far above the largest body is read to its end, and the connection stays good.
 *
 * <p>That is a courtesy, and costs a place: strangers have a moment to send the rest, and whoever shows no token where one is needed must not
 * send much. On a connection of the reserve nothing is read at all, because health checks wait for that place.
 *
 * <p>Threading: stateless.
 */
enum Leftover {
  /** Of a caller who is known: as long as any body may take. Twice the largest that is accepted, so that one a little above it is answered. */
  OF_KNOWN(2 << 20, Optional.empty()),
  /** Of anybody, where no token is needed. */
  OF_STRANGER(2 << 20, Optional.of(Duration.ofSeconds(2))),
  /** Of a caller who shows no good token where one is needed. */
  OF_INTRUDER(64 << 10, Optional.of(Duration.ofSeconds(2)));

  private static final Logger LOG = LoggerFactory.getLogger(Leftover.class);

  private final int bytesMax;
  private final Optional<Duration> patience;

  Leftover(int bytesMax, Optional<Duration> patience) {
    this.bytesMax = bytesMax;
    this.patience = patience;
  }

  /** Reads what is left, if it is little and comes unasked. */
  void read(Context context) {
    // Whoever waits to be asked for the body sends none after a refusal.
    if (context.header("Expect") != null || context.contentLength() > bytesMax) {
      return;
    }
    Optional<Exchange> exchange = Exchange.of(context::attribute);
    if (exchange.filter(Exchange::isReserved).isPresent()) {
      return;
    }
    patience.ifPresent(moment -> exchange.ifPresent(each -> each.discards(moment)));
    try {
      InputStream in = context.bodyInputStream();
      long left = bytesMax;
      while (left > 0 && in.read() >= 0) {
        left -= 1 + in.skip(left - 1);
      }
    } catch (IOException | RuntimeException e) {
      LOG.debug("The rest of a body did not come; the web server closes the connection.", e);
    }
  }
}
