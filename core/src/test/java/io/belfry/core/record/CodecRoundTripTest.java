package io.belfry.core.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.model.job.Payload;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.task.Task;
import io.belfry.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class CodecRoundTripTest {
  static final List<Kind<?>> KINDS = Kind.ALL;

  private static final int CASES = 1000;

  @ParameterizedTest
  @FieldSource("KINDS")
  <R> void every_record_is_read_as_it_was_written(Kind<R> kind) {
    Seeds.each(CASES, random -> {
      R record = kind.any().apply(random);
      byte[] bytes = kind.encode().apply(record);
      R read = kind.decode().apply(bytes);
      assertThat(read).isEqualTo(record);
      assertThat(kind.encode().apply(read)).isEqualTo(bytes);
    });
  }

  @Test
  void settings_keep_their_order() {
    Seeds.each(CASES, random -> {
      Task task = AnyTask.task(random);
      Task read = Records.task(Records.encode(task));
      assertThat(read.work().executor().toString())
          .isEqualTo(task.work().executor().toString());
    });
  }

  @Test
  void a_payload_of_the_highest_limit_is_carried_whether_it_deflates_or_not() {
    Seeds.each(1, random -> {
      byte[] noise = new byte[Payload.HIGHEST_LIMIT];
      random.nextBytes(noise);
      assertThat(encodedSizeOf(random, new byte[Payload.HIGHEST_LIMIT])).isLessThan(10_000);
      assertThat(encodedSizeOf(random, noise))
          .isBetween(Payload.HIGHEST_LIMIT, Payload.HIGHEST_LIMIT + 10_000);
    });
  }

  @Test
  void a_payload_is_deflated_from_1024_bytes_on() {
    Seeds.each(1, random -> {
      int below = encodedSizeOf(random, new byte[1023]);
      int from = encodedSizeOf(random, new byte[1024]);
      assertThat(below).isGreaterThan(1023);
      assertThat(from).isLessThan(200);
    });
  }

  @Test
  void a_batch_of_a_thousand_tasks_is_read_as_it_was_written() {
    Seeds.each(1, random -> {
      List<Task> tasks = new ArrayList<>();
      for (int i = 0; i < 1000; i++) {
        tasks.add(AnyTask.task(random));
      }
      SubmittedTasks news = new SubmittedTasks(tasks);
      assertThat(Records.news(Records.encode(news))).isEqualTo(news);
    });
  }

  private static int encodedSizeOf(RandomGenerator random, byte[] content) {
    Payload payload = Payload.of("application/octet-stream", content, Payload.HIGHEST_LIMIT);
    Work work = Samples.PLAIN.withPayload(payload);
    Task task = Task.pending(
        AnyTask.id(random), work, Priority.HIGH, Any.millis(random), Any.millis(random));
    byte[] bytes = Records.encode(task);
    assertThat(Records.task(bytes)).isEqualTo(task);
    return bytes.length;
  }
}
