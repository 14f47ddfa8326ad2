package io.belfry.core.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.model.job.Work;
import io.belfry.model.task.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks written together mostly have the same work: reusing it saves time, and changes no byte. */
class RepeatedWorkTest {

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void work_that_stands_there_again_is_read_as_if_it_stood_alone(long seed) {
    var random = new SplittableRandom(seed);
    List<Work> works = List.of(AnyWork.work(random), AnyWork.work(random));
    var orders = new ArrayList<Inbox.Order>();
    var inFull = new ArrayList<Inbox.Order>();
    for (int i = 0; i < 40; i++) {
      // Mostly the same work as before, now and then the other.
      Work work = works.get(random.nextInt(5) == 0 ? 1 : 0);
      Task task = withWork(AnyTask.task(random), work);
      orders.add(new Inbox.Order.Run(task, i));
      inFull.add(new Inbox.Order.Run(withWork(task, copy(work)), i));
    }

    byte[] bytes = Records.encode(new Inbox(orders));

    assertThat(bytes).isEqualTo(Records.encode(new Inbox(inFull)));
    assertThat(Records.inbox(bytes).orders()).isEqualTo(orders);
  }

  /** Equal, and not the same: written in full. */
  private static Work copy(Work work) {
    return Records.task(Records.encode(withWork(AnyTask.task(new SplittableRandom(1)), work)))
        .work();
  }

  private static Task withWork(Task task, Work work) {
    return task.withWork(work);
  }
}
