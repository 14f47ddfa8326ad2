package io.belfry.library;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.event.Happening.TaskCompleted;
import io.belfry.model.task.TaskId;
import io.belfry.testkit.InheritedThreads;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shared threads first started by the code of an attempt do not inherit the context of that attempt. */
class InheritedThreadsTest {
  @TempDir
  Path directory;

  @Test
  void no_thread_inherits_from_the_one_that_uses_belfry_first() throws Exception {
    var heard = new RecordedEvents();
    assertThat(InheritedThreads.of(() -> {
          try (Belfry belfry =
              Belfry.open(Settings.defaults().store(Engine.at("embedded:" + directory)), opened -> {
                heard.from(opened);
                opened.handle("noop", attempt -> {});
              })) {
            TaskId id = belfry.submit(Submission.local("noop"));
            heard.await(TaskCompleted.class, id);
            return belfry.task(id);
          }
        }))
        .isEmpty();
  }
}
