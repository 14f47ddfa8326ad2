package io.belfry.model.cron;

import java.time.Duration;

/** How one language puts it. Implementations hold all words of their language and nothing else. */
interface DescriptionRenderer {

  String say(Description description);

  /** {@code @every}. */
  String every(Duration period);
}
