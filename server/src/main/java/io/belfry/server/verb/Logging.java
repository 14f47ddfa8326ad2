package io.belfry.server.verb;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import io.belfry.library.logback.AttemptAppender;
import io.belfry.server.config.Config;
import io.belfry.server.config.SettingsCatalog;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import org.slf4j.LoggerFactory;

/**
 * Sets up logging: to standard error, as text or JSON. Lines logged by attempts also go to the logs of their tasks.
 *
 * <p>Threading: safe.
 */
public final class Logging implements AutoCloseable {
  private static final String TEXT =
      "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level %logger{0}: %msg%n%ex{8}";

  private final NonBlockingAppender standardError;

  private Logging(NonBlockingAppender standardError) {
    this.standardError = standardError;
  }

  /** Configures logging of the whole process. Closing it flushes the buffer. */
  public static Logging configure(Config config) {
    var context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.reset();
    var standardError = new NonBlockingAppender(
        context,
        encoder(context, config.get(SettingsCatalog.LOG_FORMAT)),
        new FileOutputStream(FileDescriptor.err));
    standardError.start();
    var attempts = new AttemptAppender();
    attempts.setContext(context);
    attempts.start();
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.WARN);
    root.addAppender(standardError);
    root.addAppender(attempts);
    // A failed start is reported by Belfry itself, in one sentence.
    context.getLogger("io.javalin.Javalin").setLevel(Level.OFF);
    // Any client could flood the log with its warnings about malformed requests.
    context.getLogger("org.eclipse.jetty.http").setLevel(Level.ERROR);
    context.getLogger("org.eclipse.jetty.util.HostPort").setLevel(Level.ERROR);
    context.getLogger("io.belfry").setLevel(Level.toLevel(config.get(SettingsCatalog.LOG_LEVEL)));
    return new Logging(standardError);
  }

  @Override
  public void close() {
    standardError.close();
  }

  private static Encoder<ILoggingEvent> encoder(LoggerContext context, String format) {
    if (format.equals("json")) {
      var json = new JsonEncoder();
      json.setContext(context);
      json.start();
      return json;
    }
    var text = new PatternLayoutEncoder();
    text.setContext(context);
    text.setPattern(TEXT);
    text.start();
    return text;
  }
}
