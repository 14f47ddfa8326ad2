package io.belfry.server.rest;

import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is left of a body when the answer is ready before all of it was read.
 *
 * <p>The web server says that it closes such a connection, and does. But what the client still sends meets a closed
 * door then, and its operating system throws away what has come and was not read: it would never hear why it was
 * refused. So what is not far above the largest body is read to its end, and the connection stays good.
 *
 * <p>Threading: stateless.
 */
final class Leftover {
  private static final Logger LOG = LoggerFactory.getLogger(Leftover.class);
  /** Twice the largest body that is accepted: whoever is a little above that hears that it was too large. */
  private static final int BYTES_MAX = 2 << 20;

  private Leftover() {}

  /** Reads what is left, if it is little and comes unasked. */
  static void read(Context context) {
    // Whoever waits to be asked for the body sends none after a refusal.
    if (context.header("Expect") != null || context.contentLength() > BYTES_MAX) {
      return;
    }
    try {
      InputStream in = context.bodyInputStream();
      long left = BYTES_MAX;
      while (left > 0 && in.read() >= 0) {
        left -= 1 + in.skip(left - 1);
      }
    } catch (IOException | RuntimeException e) {
      LOG.debug("The rest of a body did not come; the web server closes the connection.", e);
    }
  }
}
