package io.belfry.server.rest;

import io.belfry.server.rest.OddRequests.Request;
import io.belfry.server.verb.RunningServer;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * What a server has said that it did: the jobs that must be there now, and the tasks that were made. One walker notes its own, and nobody
 * else changes its jobs, so that the last answer is the truth.
 *
 * <p>Threading: confined to its walker.
 */
final class Deeds {
  /** Stands for a generation that was not told. */
  static final long SOME = -1;

  private static final Pattern JOB = Pattern.compile("/jobs/([^/?;]+)");

  private final Map<String, Long> jobs = new TreeMap<>();
  private final Set<String> tasks = new TreeSet<>();

  void add(Deeds other) {
    jobs.putAll(other.jobs);
    tasks.addAll(other.tasks);
  }

  Map<String, Long> jobs() {
    return jobs;
  }

  Set<String> tasks() {
    return tasks;
  }

  /** Goes by what was answered, not by the operation that was meant: an odd method or address may have led elsewhere. */
  void note(Request request, Wire.Reply reply) {
    if (reply.status() >= 300 || request.isForHead() || request.method().equals("GET")) {
      return;
    }
    Matcher path = JOB.matcher(request.target());
    if (request.method().equals("DELETE") && path.find()) {
      jobs.remove(path.group(1));
    }
    if (reply.isJson()) {
      JsonNode body = RunningServer.JSON.readTree(reply.body());
      job(body);
      task(body);
      boolean deletes = request.text().contains("\"action\":\"delete\"");
      body.path("results").values().forEach(each -> one(each, deletes));
    }
  }

  private void job(JsonNode body) {
    if (body.has("generation")) {
      jobs.put(body.path("id").asString(), body.path("generation").asLong());
    }
  }

  private void task(JsonNode body) {
    if (body.size() == 1 && body.has("id")) {
      tasks.add(body.path("id").asString());
    }
  }

  private void one(JsonNode result, boolean deletes) {
    String id = result.path("id").asString("");
    switch (result.path("outcome").asString("")) {
      case "accepted", "repeated" -> tasks.add(id);
      case "created", "changed" -> jobs.put(id, SOME);
      case "done" -> {
        if (result.has("task")) {
          tasks.add(result.path("task").asString());
        } else if (deletes) {
          jobs.remove(id);
        } else {
          jobs.put(id, SOME);
        }
      }
      default -> {}
    }
  }
}
