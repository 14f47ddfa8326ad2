package io.belfry.tests.witness;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A term has one leader, and when the next has been won nothing is written in it any more. Told by revisions: the store's own order.
 *
 * <p>Threading: confined to one check.
 */
final class TermRule {
  private final Findings findings;

  TermRule(Findings findings) {
    this.findings = findings;
  }

  void check(Map<Long, List<String>> leaders, List<Act> acts) {
    leaders.forEach((term, all) -> {
      if (Set.copyOf(all).size() > 1) {
        findings.note(Verdict.Kind.TWO_LEADERS, "term " + term + ": " + new HashSet<>(all));
      }
    });
    Map<Long, String> owners = new HashMap<>();
    for (Act act : acts) {
      String other = owners.putIfAbsent(act.fence(), act.leader());
      if (other != null && !other.equals(act.leader())) {
        findings.note(
            Verdict.Kind.TWO_LEADERS,
            other + " and " + act.leader() + " both wrote under fence " + act.fence());
      }
    }
    List<Act> ordered = new ArrayList<>(acts);
    ordered.sort(Comparator.comparingLong(Act::fence));
    for (int i = 1; i < ordered.size(); i++) {
      Act earlier = ordered.get(i - 1);
      Act later = ordered.get(i);
      if (earlier.fence() < later.fence() && earlier.last() > later.fence()) {
        findings.note(
            Verdict.Kind.TWO_LEADERS,
            earlier.leader() + " wrote at revision " + earlier.last() + " under fence "
                + earlier.fence() + ", after " + later.leader() + " had won with "
                + later.fence());
      }
    }
  }
}
