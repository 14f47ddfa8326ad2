package io.belfry.tests.witness;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;

/** Submits at the doors of the core's processes, at any of them. Threading: confined to one client. */
final class DoorCounter implements Counter {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Fleet fleet;
  private final RandomGenerator random;

  DoorCounter(Fleet fleet, RandomGenerator random) {
    this.fleet = fleet;
    this.random = random;
  }

  @Override
  public Reply submit(Order order, Instant due) {
    return ask("submit\t" + order.key() + "\t" + order.work().toMillis() + "\t" + due);
  }

  @Override
  public Reply cancel(String task) {
    return ask("cancel\t" + task);
  }

  /** Who finds no door has asked nobody; who got no answer cannot know. */
  private Reply ask(String line) {
    List<String> names = fleet.all();
    OptionalInt port = fleet.door(names.get(random.nextInt(names.size())));
    if (port.isEmpty()) {
      return Reply.FAIL;
    }
    try (var socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), port.getAsInt()),
          Math.toIntExact(PATIENCE.toMillis()));
      socket.setSoTimeout(Math.toIntExact(PATIENCE.toMillis()));
      var out = new PrintWriter(socket.getOutputStream(), true, UTF_8);
      var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
      out.println(line);
      return Optional.ofNullable(in.readLine()).map(DoorCounter::reply).orElse(Reply.UNKNOWN);
    } catch (IOException e) {
      return Reply.UNKNOWN;
    }
  }

  private static Reply reply(String line) {
    String[] words = line.split("\t", -1);
    return words.length == 2
        ? Reply.ok(words[1])
        : new Reply(Call.Answer.valueOf(words[0]), Optional.empty());
  }
}
