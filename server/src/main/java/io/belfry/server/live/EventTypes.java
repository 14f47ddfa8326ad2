package io.belfry.server.live;

import io.belfry.core.event.Happening;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The wire names of event types. Threading: immutable. */
public final class EventTypes {
  private static final Set<String> ALL =
      leaves(Happening.class).map(EventForm::type).collect(Collectors.toUnmodifiableSet());

  private EventTypes() {}

  public static Set<String> all() {
    return ALL;
  }

  private static Stream<Class<?>> leaves(Class<?> type) {
    return type.isSealed()
        ? Arrays.stream(type.getPermittedSubclasses()).flatMap(EventTypes::leaves)
        : Stream.of(type);
  }
}
