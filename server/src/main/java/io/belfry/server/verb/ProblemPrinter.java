package io.belfry.server.verb;

import io.belfry.model.InvalidException;
import java.io.PrintWriter;
import java.util.List;

/** Prints the problems of a configuration. Threading: stateless. */
final class ProblemPrinter {
  private ProblemPrinter() {}

  static void print(List<InvalidException> problems, PrintWriter err) {
    if (problems.size() == 1) {
      err.println("belfry: " + problems.getFirst().getMessage());
      return;
    }
    err.println("belfry: the configuration has " + problems.size() + " problems:");
    problems.forEach(each -> err.println("  - " + each.getMessage()));
  }
}
