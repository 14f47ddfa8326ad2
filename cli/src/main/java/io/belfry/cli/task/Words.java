package io.belfry.cli.task;

import java.util.Locale;

/** Names of ours as the API writes them. Threading: stateless. */
final class Words {
  private Words() {}

  static String of(Enum<?> name) {
    return name.name().toLowerCase(Locale.ROOT);
  }
}
