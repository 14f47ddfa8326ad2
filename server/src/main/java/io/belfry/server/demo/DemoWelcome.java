package io.belfry.server.demo;

import io.belfry.server.verb.Program;
import java.io.PrintWriter;

/** What a demo says when it is ready. Threading: confined to the start. */
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
    out.println("Belfry is ready. Open this in a browser; it works once, for ten minutes:");
    out.println();
    out.println("  " + login());
    out.println();
    out.println(made.jobs() + " sample jobs call a small service at " + target + ", and "
        + made.tasks() + " mails wait to be sent.");
    out.println("Its data is in " + folder.shown()
        + (folder.kept() ? ", and stays there." : ", and is removed at the end."));
    out.println("In another terminal, in this folder:");
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
    out.println("Ctrl-C ends it.");
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
