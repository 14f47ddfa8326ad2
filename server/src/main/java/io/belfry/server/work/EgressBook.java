package io.belfry.server.work;

import io.belfry.executors.egress.EgressRules;
import io.belfry.model.InvalidException;
import io.belfry.server.config.Catalogue;
import io.belfry.server.config.Config;
import io.belfry.server.config.ExecutorCatalogue;
import io.belfry.server.config.Setting;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where jobs may call, by the configuration: never our own API, never the engines. The same object as long as nothing changes, because
 * connections are kept by it.
 *
 * <p>Threading: safe.
 */
final class EgressBook {
  private static final Pattern HOST_AND_PORT =
      Pattern.compile("(\\[[^\\]]+\\]|[^:/,]+):(\\d{1,5})");

  private record Made(int api, EgressRules rules) {}

  private final Config config;
  private final IntSupplier api;
  private volatile Made made;

  EgressBook(Config config, IntSupplier api) {
    this.config = config;
    this.api = api;
    this.made = new Made(0, make(0));
  }

  EgressRules rules() {
    Made last = made;
    int now = api.getAsInt();
    if (last.api != now) {
      last = new Made(now, make(now));
      made = last;
    }
    return last.rules;
  }

  private EgressRules make(int port) {
    EgressRules rules = EgressRules.standard();
    if (port > 0) {
      rules = rules.withOwn("*", port);
    }
    for (Optional<String> uri :
        List.of(config.find(Catalogue.STORE_URI), config.find(Catalogue.ELECTION_URI))) {
      rules = engine(rules, uri.orElse("embedded:"));
    }
    for (String rule : config.get(ExecutorCatalogue.HTTP_ALLOW)) {
      rules = keyed(ExecutorCatalogue.HTTP_ALLOW, rules::allow, rule);
    }
    for (String rule : config.get(ExecutorCatalogue.HTTP_DENY)) {
      rules = keyed(ExecutorCatalogue.HTTP_DENY, rules::deny, rule);
    }
    return rules;
  }

  /** A refusal names the key that an operator knows. */
  private static EgressRules keyed(
      Setting<?> setting, Function<String, EgressRules> with, String rule) {
    try {
      return with.apply(rule);
    } catch (InvalidException e) {
      throw new InvalidException(
          setting.key(), String.valueOf(e.getMessage()).replace(e.field(), setting.key()));
    }
  }

  private static EgressRules engine(EgressRules rules, String uri) {
    EgressRules more = rules;
    int start = uri.indexOf("://");
    if (start >= 0) {
      Matcher members = HOST_AND_PORT.matcher(uri.substring(start + "://".length()));
      while (members.find()) {
        more = more.withOwn(members.group(1), Integer.parseInt(members.group(2)));
      }
    }
    return more;
  }
}
