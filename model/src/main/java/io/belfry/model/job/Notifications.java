package io.belfry.model.job;

import io.belfry.model.Check;
import io.belfry.model.WireName;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The notifications of a job: which events are sent to which targets. Called {@code notify} in YAML, which Java reserves. */
public record Notifications(Set<Occasion> on, List<Target> to) {
  private static final int TARGETS_MAX = 20;

  public static final Notifications NONE = new Notifications(Set.of(), List.of());

  public enum Occasion {
    FAILED,
    MISSED,
    LATE,
    RECOVERED
  }

  /** The target of a notification, written {@code webhook:ops} or {@code mail:ops@example.org}. */
  public record Target(Channel channel, String address) {
    private static final int ADDRESS_CHARS_MAX = 256;

    public enum Channel {
      WEBHOOK,
      MAIL
    }

    public Target {
      Check.text("notify.to", address, ADDRESS_CHARS_MAX);
    }

    public static Target parse(String text) {
      int colon = text.indexOf(':');
      if (colon < 0) {
        throw Check.refusal(
            "notify.to",
            text,
            "must be a channel, a colon and an address, because each channel has its own addresses",
            "Write it like webhook:ops or mail:ops@example.org.");
      }
      return new Target(
          WireName.parse(Channel.class, "notify.to", text.substring(0, colon)),
          text.substring(colon + 1));
    }

    @Override
    public String toString() {
      return WireName.of(channel) + ":" + address;
    }
  }

  public Notifications {
    Check.that(
        on.isEmpty() == to.isEmpty(),
        on.isEmpty() ? "notify.on" : "notify.to",
        new Check.Plain("nothing"),
        "must be given, because notify.on and notify.to need each other",
        "Set both, or remove notify.");
    Check.between(
        "notify.to", to.size(), 0, TARGETS_MAX, "every notification is sent to all of them");
    EnumSet<Occasion> occasions = EnumSet.noneOf(Occasion.class);
    occasions.addAll(on);
    on = Collections.unmodifiableSet(occasions);
    to = List.copyOf(to);
  }
}
