package io.belfry.tests.witness;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** {@code ./belfry faults --server true --engine embedded --fault F9}, or {@code F13}. Threading: confined to the start. */
final class Drills {
  private static final int SUBMITS = 1000;

  private Drills() {}

  /** Exit code 1 when something was found, 2 when the command cannot be understood. */
  static int run(String[] words) {
    Map<String, String> given = new HashMap<>();
    for (int i = 0; i + 1 < words.length; i += 2) {
      given.put(words[i], words[i + 1]);
    }
    boolean known =
        Set.of("--server", "--engine", "--fault", "--fires").containsAll(given.keySet());
    if (!known
        || words.length % 2 != 0
        || !given.getOrDefault("--server", "").equals("true")
        || !given.getOrDefault("--engine", "").equals("embedded")
        || !given.getOrDefault("--fires", "1").matches("[1-9][0-9]{0,8}")) {
      System.err.println(
          "F9 and F13 are struck alone: --server true --engine embedded --fault F9 [--fires N]");
      return 2;
    }
    int submits = Integer.parseInt(given.getOrDefault("--fires", "" + SUBMITS));
    if (given.getOrDefault("--fault", "").equals("F9")) {
      Drill.Outcome outcome = FullDisk.run(submits);
      System.out.print(outcome.text());
      return outcome.clean() ? 0 : 1;
    }
    Overload.Result result = Overload.run(submits);
    System.out.print(result.text());
    return result.outcome().clean() ? 0 : 1;
  }
}
