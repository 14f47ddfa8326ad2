package io.belfry.server.rest;

import static io.belfry.server.rest.Permission.ADMIN;
import static io.belfry.server.rest.Permission.OPERATOR;
import static io.belfry.server.rest.Permission.VIEWER;

import io.belfry.core.record.NodeRecord;
import io.belfry.core.record.QueueRecord;
import io.belfry.core.record.WorkerRecord;
import io.belfry.library.Belfry;
import io.belfry.library.ClusterStatus;
import io.belfry.library.NodeHealth;
import io.belfry.model.WireName;
import io.belfry.server.form.Fields;
import io.belfry.store.EngineHealth;
import io.belfry.store.Status;
import java.util.Comparator;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Who decides and who works, over REST. Threading: stateless. */
final class ClusterRoutes {
  private static final String CLUSTER = Spot.NS + "/cluster";
  private static final String STRATEGY = CLUSTER + "/strategy";
  private static final String WORKERS = Spot.NS + "/workers";

  private final Spot spot;

  ClusterRoutes(Spot spot) {
    this.spot = spot;
  }

  List<Route> all() {
    return List.of(
        Route.get("cluster", CLUSTER, VIEWER, this::status),
        Route.post("pause", CLUSTER + "/pause", ADMIN, this::pause),
        Route.post("resume", CLUSTER + "/resume", ADMIN, this::resume),
        Route.get("getStrategy", STRATEGY, VIEWER, call -> Answer.ok(strategy(spot.of(call)))),
        Route.put("setStrategy", STRATEGY, ADMIN, this::choose),
        Route.post("resetStrategy", STRATEGY + "/reset", ADMIN, this::reset),
        Route.get("listWorkers", WORKERS, VIEWER, this::workers).costs(Cost.LIST),
        Route.post("drainWorker", WORKERS + "/{worker}/drain", OPERATOR, this::drain),
        Route.put("setCapacity", WORKERS + "/{worker}/capacity", OPERATOR, this::capacity),
        Route.put("putQueue", Spot.NS + "/queues/{queue}", ADMIN, this::queue));
  }

  private Answer status(Call call) {
    Belfry belfry = spot.of(call);
    ClusterStatus status = belfry.cluster();
    ObjectNode node = Spot.node();
    status.leader().ifPresent(leader -> node.put("leader", leader));
    status.since().ifPresent(since -> node.put("since", since.toString()));
    node.put("term", status.term()).put("elections", status.elections());
    ArrayNode nodes = node.putArray("nodes");
    status.nodes().forEach(each -> nodes.add(node(each)));
    NodeHealth health = belfry.health();
    node.set("engine", engine(status.engine()).set("health", health(health.engine(), call)));
    status.electionEngine().ifPresent(other -> {
      ObjectNode engine = engine(other);
      health.electionEngine().ifPresent(view -> engine.set("health", health(view, call)));
      node.set("electionEngine", engine);
    });
    var reason = belfry.pauseReason();
    node.put("paused", reason.isPresent());
    reason.ifPresent(text -> node.put("pausedFor", text));
    return Answer.ok(node);
  }

  private static ObjectNode node(NodeRecord record) {
    ObjectNode node = Spot.node().put("id", record.id());
    ArrayNode roles = node.putArray("roles");
    record.roles().stream().sorted().forEach(role -> roles.add(WireName.of(role)));
    return node.put("address", record.address())
        .put("version", record.version())
        .put("since", record.since().toString())
        .put("heartbeat", record.heartbeat().toString())
        .put("leads", record.leads());
  }

  private static ObjectNode engine(Status status) {
    return Spot.node()
        .put("kind", status.engine())
        .put("version", status.version())
        .put("durability", status.durability())
        .put("fullness", status.fullness());
  }

  /** As the node that was asked sees it. What the engine said names its servers, and is for admins. */
  private static ObjectNode health(EngineHealth.View view, Call call) {
    ObjectNode node = Spot.node()
        .put("writable", view.unwritable().isEmpty())
        .put("commitsInFlight", view.inFlight())
        .put("oldestCommitMs", view.oldestInFlight().toMillis())
        .put("lastCommitAgeMs", view.sinceCommit().toMillis())
        .put("recoveries", view.recoveries())
        .put("reconnects", view.reconnects());
    ObjectNode refusals = node.putObject("refusals");
    view.refusals().forEach((reason, count) -> refusals.put(WireName.of(reason), count));
    view.outage().ifPresent(outage -> {
      node.put("reason", WireName.of(outage.reason()))
          .put("failingForMs", outage.lasted().toMillis());
      if (call.isAdmin()) {
        node.put("cause", outage.cause());
      }
    });
    return node;
  }

  private Answer pause(Call call) {
    Fields fields = Fields.of(call.body());
    String reason = fields
        .text("reason")
        .orElseThrow(() -> fields.missing("reason", "others will want to know"));
    fields.end();
    spot.of(call).pause(reason);
    return Answer.nothing(204);
  }

  private Answer resume(Call call) {
    spot.of(call).resume();
    return Answer.nothing(204);
  }

  private static ObjectNode strategy(Belfry belfry) {
    ObjectNode node = Spot.node().put("strategy", belfry.strategy().get());
    ArrayNode known = node.putArray("known");
    belfry.strategy().names().stream().sorted().forEach(known::add);
    return node;
  }

  private Answer choose(Call call) {
    Fields fields = Fields.of(call.body());
    String name = fields
        .text("strategy")
        .orElseThrow(() -> fields.missing("strategy", "it is what is chosen"));
    fields.end();
    Belfry belfry = spot.of(call);
    belfry.strategy().set(name);
    return Answer.ok(strategy(belfry));
  }

  private Answer reset(Call call) {
    spot.of(call).strategy().reset();
    return Answer.nothing(204);
  }

  private Answer workers(Call call) {
    call.knows("cursor");
    List<WorkerRecord> all = spot.of(call).workers().stream()
        .sorted(Comparator.comparing(WorkerRecord::id))
        .toList();
    return Listed.page(call, all, WorkerRecord::id, ClusterRoutes::worker);
  }

  private static ObjectNode worker(WorkerRecord record) {
    ObjectNode node = Spot.node()
        .put("id", record.id())
        .put("name", record.name())
        .put("address", record.address())
        .put("status", status(record));
    ObjectNode labels = node.putObject("labels");
    record.labels().forEach(labels::put);
    ArrayNode queues = node.putArray("queues");
    record.queues().stream().sorted().forEach(queues::add);
    node.put("weight", record.weight())
        .put("capacity", record.capacity())
        .put("running", record.held().size())
        .put("since", record.since().toString())
        .put("heartbeat", record.heartbeat().toString());
    node.putObject("load")
        .put("cpu", record.load().cpu())
        .put("memory", record.load().memory())
        .put("network", record.load().network())
        .put("connections", record.load().connections());
    return node;
  }

  private static String status(WorkerRecord record) {
    if (!record.healthy()) {
      return "unhealthy";
    }
    if (!record.accepting()) {
      return "draining";
    }
    int held = record.held().size();
    return held == 0 ? "idle" : held < record.capacity() ? "busy" : "full";
  }

  private Answer drain(Call call) {
    boolean undo = call.optionalBody()
        .flatMap(body -> {
          Fields fields = Fields.of(body);
          var given = fields.flag("undo");
          fields.end();
          return given;
        })
        .orElse(false);
    Belfry belfry = spot.of(call);
    String worker = worker(call, belfry);
    if (undo) {
      belfry.workerOperations().resume(worker);
    } else {
      belfry.workerOperations().drain(worker);
    }
    return Answer.nothing(202);
  }

  /** The worker of the address, which is there: by its id, with or without the incarnation. */
  private static String worker(Call call, Belfry belfry) {
    String wanted = call.path("worker");
    boolean there = belfry.workers().stream()
        .anyMatch(each -> each.id().equals(wanted) || each.id().startsWith(wanted + "~"));
    if (!there) {
      throw Problem.notFound("worker", wanted);
    }
    return wanted;
  }

  private Answer capacity(Call call) {
    Fields fields = Fields.of(call.body());
    int capacity = fields
        .whole("capacity")
        .orElseThrow(() -> fields.missing("capacity", "it is what is changed"));
    fields.end();
    Belfry belfry = spot.of(call);
    belfry.workerOperations().capacity(worker(call, belfry), capacity);
    return Answer.nothing(202);
  }

  private Answer queue(Call call) {
    Fields fields = Fields.of(call.body());
    QueueRecord.Mode mode = fields
        .word("mode", QueueRecord.Mode.class)
        .orElseThrow(() -> fields.missing("mode", "it is what is changed"));
    fields.end();
    spot.of(call).queues().mode(call.path("queue"), mode);
    return Answer.nothing(204);
  }
}
