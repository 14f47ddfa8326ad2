package io.belfry.library;

import io.belfry.core.event.Happening.TaskCompleted;
import io.belfry.model.job.Job;
import io.belfry.model.task.TaskId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;

/** A separate process in which a handler closes the standard streams. */
final class SilencedNode {
  private SilencedNode() {}

  /**
   * Runs it.
   *
   * @param args where the data go; where to write that everything else went on
   */
  public static void main(String[] args) throws Exception {
    var heard = new RecordedEvents();
    try (Belfry belfry =
        Belfry.open(Settings.defaults().store("embedded:" + args[0]), heard::from)) {
      belfry.handle("closes", attempt -> {
        System.out.close();
        System.err.close();
      });
      belfry.handle("prints", attempt -> {
        System.out.println("into nothing");
        System.err.println("into nothing");
      });
      heard.await(TaskCompleted.class, belfry.submit(Submission.local("closes")));
      TaskId printed = belfry.submit(Submission.local("prints"));
      heard.await(TaskCompleted.class, printed);
      belfry
          .jobs()
          .save(Job.named("tick")
              .cron("* * * * * *", ZoneOffset.UTC)
              .local("prints")
              .build());
      heard.await(TaskCompleted.class, ended -> ended.task().id().isFire(), 2);
      if (belfry.failure().isPresent()) {
        throw new IllegalStateException("a part has stopped", belfry.failure().get());
      }
    }
    Files.writeString(Path.of(args[1]), "went on");
  }
}
