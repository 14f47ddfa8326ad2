package io.belfry.server.demo;

import io.belfry.server.verb.Program;
import java.io.PrintWriter;

/** Prints the welcome text of the demo. Threading: confined to the start. */
final class DemoWelcome {
  private final Program program;
  private final String target;
  private final DemoFolder folder;

  DemoWelcome(Program program, String target, DemoFolder folder) {
    this.program = program;
    this.target = target;
    this.folder = folder;
  }

  void print(DemoFill.Amounts made, PrintWriter out) {
    String data = " --data " + quoted(folder.shown());
    String belfry = "  " + System.getProperty("belfry.command", "belfry") + " ";
    out.println("Belfry is ready. Open this link in a browser (valid once, for ten minutes):");
    out.println();
    out.println("  " + login());
    out.println();
    out.println(made.jobs() + " sample jobs call a small service at " + target + ", and "
        + made.tasks() + " mails are waiting to be sent.");
    out.println("The data directory is " + folder.shown()
        + (folder.kept() ? " and is kept." : " and is deleted at the end."));
    out.println("Try in another terminal, in the same directory:");
    out.println();
    out.println(belfry + "job list" + data);
    out.println(belfry + "task list --state failed" + data);
    out.println(belfry + "job explain month-end-report" + data);
    out.println(belfry
        + "task submit --handler import --payload '{\"rows\": 200, \"from\": \"shop\"}' --wait"
        + data);
    out.println(belfry + "cluster events --follow" + data);
    out.println(belfry + "token login-link" + data);
    out.println();
    out.println("Press Ctrl-C to stop.");
    out.flush();
  }

  private String login() {
    return program
        .node()
        .tokens()
        .verify(folder.token())
        .map(admin ->
            program.address() + "/login#code=" + program.node().sessions().link(admin))
        .orElse(program.address());
  }

  private static String quoted(String path) {
    return path.matches("[\\w@%+=:,./-]+") ? path : "'" + path.replace("'", "'\\''") + "'";
  }
}
