package io.belfry.model.cron;

import java.time.Duration;

/** Renders a description in one language. An implementation contains only the words of its language. */
interface DescriptionRenderer {

  String say(Description description);

  /** {@code @every}. */
  String every(Duration period);
}
