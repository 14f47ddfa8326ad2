package io.belfry.server.access;

import io.belfry.core.execute.LocalExecutor;
import io.belfry.model.Check;
import io.belfry.model.WireName;
import io.belfry.model.job.ExecutorSpec;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides which roles may submit tasks with which executor. A task with an inline executor defines work: it can send secrets of the namespace to any
 * allowed destination, so it needs the role developer. With a lower role a caller must name a job or a listed handler.
 *
 * <p>Threading: immutable.
 */
public final class SubmitRule {
  /** Stands for every handler. */
  public static final String ALL = "*";

  private static final int SHOWN_CHARS_MAX = 200;
  /** Longer than any valid scheme, host and port, so that the destination is never cut. */
  private static final int ORIGIN_CHARS_MAX = 300;

  private final Set<String> handlers;

  /**
   * Creates the rule.
   *
   * @param handlers names of local handlers to which operators may submit tasks, or {@link #ALL}
   * @throws io.belfry.model.InvalidException if a name looks like a pattern, which would match nothing
   */
  public SubmitRule(String setting, List<String> handlers) {
    handlers.forEach(name -> Check.that(
        !name.isBlank() && (name.equals(ALL) || !name.contains(ALL)),
        setting,
        name,
        "must contain complete names of handlers, or * alone for all of them, because patterns are not supported",
        "List each name."));
    this.handlers = Set.copyOf(handlers);
  }

  /** The reason why this caller may not submit a task with this executor; empty if it may. */
  public Optional<String> refusal(Principal who, ExecutorSpec executor) {
    if (who.role().includes(Role.DEVELOPER) || isListed(executor)) {
      return Optional.empty();
    }
    return Optional.of(
        "A task with an inline executor needs the role developer, because it defines work, but the token has "
            + WireName.of(who.role())
            + ". Submit it by job ({\"job\": …}), use a handler of submit.handlers, or use a token with the role developer.");
  }

  /** Whether it only names a listed handler. */
  private boolean isListed(ExecutorSpec executor) {
    boolean plain = executor.type().equals(LocalExecutor.TYPE)
        && executor.settings().keySet().stream().allMatch(LocalExecutor.HANDLER::equals);
    return plain
        && (handlers.contains(ALL) || isListed(executor.settings().get(LocalExecutor.HANDLER)));
  }

  private boolean isListed(@Nullable Object handler) {
    return handler instanceof String name && handlers.contains(name);
  }

  /** Whether the executor defines work itself, instead of naming a handler of the worker. */
  public static boolean isInline(ExecutorSpec executor) {
    return !executor.type().equals(LocalExecutor.TYPE);
  }

  /** The executor as shown in the audit log: for a call its destination without parameters. Scheme, host and port are complete, a long path is cut. */
  public static String describe(ExecutorSpec executor) {
    if (!isInline(executor)) {
      Object handler = executor.settings().get(LocalExecutor.HANDLER);
      return handler == null
          ? "the default handler"
          : "handler " + Check.clip(handler.toString(), SHOWN_CHARS_MAX);
    }
    String type = "inline " + Check.clip(executor.type(), SHOWN_CHARS_MAX) + " executor";
    return executor.settings().get("url") instanceof String url ? type + " to " + shown(url) : type;
  }

  private static String shown(String url) {
    int scheme = url.indexOf("://");
    int path = first(url, "/?#", scheme < 0 ? 0 : scheme + "://".length());
    int parameters = first(url, "?", path);
    return Check.clip(url.substring(0, path), ORIGIN_CHARS_MAX)
        + Check.clip(url.substring(path, parameters), SHOWN_CHARS_MAX);
  }

  /** The index of the first of these characters, or the length. */
  private static int first(String text, String characters, int from) {
    int at = from;
    while (at < text.length() && characters.indexOf(text.charAt(at)) < 0) {
      at++;
    }
    return at;
  }
}
