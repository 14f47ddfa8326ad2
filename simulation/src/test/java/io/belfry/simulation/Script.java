package io.belfry.simulation;

import io.belfry.core.worker.Launcher.Ending;
import io.belfry.model.task.Failure;
import io.belfry.model.task.Result;
import io.belfry.model.task.Task;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** Says how the code of an attempt is going to behave. */
interface Script {

  /**
   * What the code of one attempt does.
   *
   * @param length how long it runs when nobody disturbs it; {@link #FOREVER} for code that ends only when interrupted
   * @param ending what it comes to
   * @param deaf how long it goes on after an interrupt
   */
  record Body(Duration length, Ending ending, Duration deaf) {}

  Duration FOREVER = Duration.ofDays(365);

  Body body(Task task, RandomGenerator random);

  /** Mostly short and good; some fail, some are long, some ignore interrupts for a while. */
  static Script mixed() {
    return (task, random) -> {
      Duration length = Duration.ofMillis(
          random.nextInt(8) == 0 ? random.nextInt(6_000) : 1 + random.nextInt(300));
      Ending ending = random.nextInt(10) == 0
          ? new Ending.Failed(Failure.error("on purpose"))
          : new Ending.Returned(Result.OK);
      Duration deaf = Duration.ofMillis(random.nextInt(6) == 0 ? random.nextInt(2_000) : 1);
      return new Body(length, ending, deaf);
    };
  }

  /** The same, and a few never end: for tasks whose timeout is short. */
  static Script wild() {
    Script mixed = mixed();
    return (task, random) -> {
      Body body = mixed.body(task, random);
      return random.nextInt(60) == 0 ? new Body(FOREVER, body.ending, body.deaf) : body;
    };
  }
}
