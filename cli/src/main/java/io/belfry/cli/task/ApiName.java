package io.belfry.cli.task;

import java.util.Locale;

/** Names of enum constants as the API writes them. Threading: stateless. */
final class ApiName {
  private ApiName() {}

  static String of(Enum<?> name) {
    return name.name().toLowerCase(Locale.ROOT);
  }
}
