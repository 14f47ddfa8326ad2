package io.belfry.core.leader.request;

import io.belfry.core.follow.Follower;
import io.belfry.core.keys.Keys;
import io.belfry.core.leader.assign.TaskAssigner;
import io.belfry.core.leader.fire.JobDefinitions;
import io.belfry.core.leader.task.CancelRequested;
import io.belfry.core.leader.task.Creation;
import io.belfry.core.leader.task.LiveTask;
import io.belfry.core.leader.task.TaskFactory;
import io.belfry.core.leader.task.TaskTable;
import io.belfry.core.leader.task.TaskTransitions;
import io.belfry.core.leader.term.TermCommitter;
import io.belfry.core.leader.term.TermContext;
import io.belfry.core.leader.term.TermLoop;
import io.belfry.core.record.Inbox;
import io.belfry.core.record.Records;
import io.belfry.core.record.Request;
import io.belfry.core.record.SafeDecoder;
import io.belfry.model.InvalidException;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.task.CancelRequest;
import io.belfry.model.task.Command;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskState;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Store;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Meets the requests that only a leader may meet, each once: what follows from it and the end of the request are one commit.
 *
 * <p>Threading: confined to the leader's loop.
 */
public final class RequestHandler implements Follower.Sink {
  private static final Logger LOG = LoggerFactory.getLogger(RequestHandler.class);

  private final TermLoop loop;
  private final Store store;
  private final TermCommitter committer;
  private final TaskTable table;
  private final JobDefinitions definitions;
  private final TaskAssigner assigner;
  private final TaskTransitions transitions;
  private final TaskFactory factory;
  private final Runnable changed;
  private final Runnable loaded;
  private final Map<Key, Entry> open = new LinkedHashMap<>();
  private boolean ready;

  public RequestHandler(
      TermContext term,
      TaskTable table,
      TaskFactory factory,
      JobDefinitions definitions,
      TaskAssigner assigner,
      TaskTransitions transitions,
      Runnable loaded) {
    this.loop = term.loop();
    this.store = term.store();
    this.committer = term.committer();
    this.table = table;
    this.definitions = definitions;
    this.assigner = assigner;
    this.transitions = transitions;
    this.factory = factory;
    this.changed = term.wakeUp();
    this.loaded = loaded;
  }

  /** A task has ended, and with it what was asked of it. */
  public void ended(LiveTask live, Task end) {
    live.cancel().ifPresent(asked -> closeIfGone(end.id(), asked));
  }

  /** From here on tasks are known, and requests can be met. */
  public void ready() {
    ready = true;
    List.copyOf(open.values()).forEach(this::meet);
  }

  @Override
  public void loading() {}

  @Override
  public void put(Entry entry) {
    Entry known = open.get(entry.key());
    if (known == null || known.revision() < entry.revision()) {
      open.put(entry.key(), entry);
      if (ready) {
        meet(entry);
      }
    }
  }

  @Override
  public void deleted(Key key, long revision) {
    Entry known = open.get(key);
    if (known != null && known.revision() < revision) {
      open.remove(key);
    }
  }

  @Override
  public void loaded() {
    loaded.run();
  }

  private void meet(Entry entry) {
    SafeDecoder.read(entry, each -> Records.request(each.value()))
        .ifPresent(request -> meet(entry, request));
  }

  private void meet(Entry entry, Request request) {
    switch (request) {
      case Request.Trigger trigger -> trigger(entry, trigger);
      case Request.Cancel(TaskId task, String reason, String by, Instant at) ->
        cancel(task, new CancelRequested(new CancelRequest(by, reason, at), Optional.of(entry)));
      case Request.Reprioritise change -> prioritise(entry, change);
      case Request.Again again ->
        make(
            entry,
            task(again.task(), again.work(), again, again.priority()),
            commit -> {},
            () -> {});
    }
  }

  private void trigger(Entry entry, Request.Trigger trigger) {
    JobId id = trigger.task().jobId().orElseThrow();
    definitions.read(
        List.of(id),
        found -> {
          JobDefinitions.Known known = found.get(id);
          long incarnation = Keys.triggerIncarnation(entry.key());
          if (known == null) {
            withdraw(entry, trigger);
          } else if (trigger.task().isFire() && known.job().incarnation() > incarnation) {
            // The job for whose instant it was asked is gone, and incarnations never come back.
            withdraw(entry, trigger, commit -> {}, () -> {});
          } else {
            make(entry, trigger, known);
          }
        },
        () -> loop.retry(() -> trigger(entry, trigger)));
  }

  /** The job has been deleted meanwhile, which the store decides; or an operator has to repair its definition. */
  private void withdraw(Entry entry, Request.Trigger trigger) {
    Key job = Keys.job(trigger.task().jobId().orElseThrow());
    withdraw(
        entry,
        trigger,
        commit -> commit.absent(job),
        () -> loop.retryRarely(() -> trigger(entry, trigger)));
  }

  /**
   * Nothing comes of it: a later request for the same, or the job's own time, is not held up by it. The record that it came goes, and so
   * does the key by which that would have expired: the next request for the same has its own.
   */
  private void withdraw(
      Entry entry, Request.Trigger trigger, Consumer<Commit.Builder> terms, Runnable refused) {
    String id = Keys.ofIncarnation(trigger.task(), Keys.triggerIncarnation(entry.key()));
    loop.read(() -> store.get(List.of(Keys.dedup(id))), found -> {
      Commit.Builder commit = committer.commit().unchanged(entry);
      terms.accept(commit);
      commit.delete(entry.key()).delete(Keys.dedup(id));
      found.stream()
          .flatMap(mark ->
              SafeDecoder.read(mark, each -> Records.dedup(each.value()).until()).stream())
          .filter(until -> until != 0)
          .forEach(until -> commit.delete(Keys.dedupExpiry(until, id)));
      withdraw(entry, commit, refused);
    });
  }

  private void withdraw(Entry entry, Commit.Builder commit, Runnable refused) {
    committer.send(commit, revision -> open.remove(entry.key(), entry), guard -> {
      if (guard.key().equals(entry.key())) {
        open.remove(entry.key(), entry);
      } else {
        refused.run();
      }
    });
  }

  private void make(Entry entry, Request.Trigger trigger, JobDefinitions.Known known) {
    Job job = known.job();
    Key definition = Keys.job(job.id());
    Work work;
    try {
      work = trigger.of(job.work());
    } catch (InvalidException e) {
      LOG.warn("Job {} was changed so that it cannot be triggered as asked for: {}", job.id(), e);
      withdraw(entry, trigger, commit -> {}, () -> {});
      return;
    }
    make(
        entry,
        task(trigger.task(), factory.work(job, work), trigger, job.priority()),
        commit -> commit.unchanged(definition, known.revision()), // as it stands, and not as it was
        () -> trigger(entry, trigger));
  }

  private Task task(TaskId id, Work work, Request asked, Priority priority) {
    Optional<String> by = Optional.of(asked.by()).filter(name -> !name.isEmpty());
    return factory.pending(id, work, priority, asked.at(), loop.time().wall(), by);
  }

  /**
   * Makes the task that a request is for.
   *
   * @param terms what else must hold
   * @param again called when that does not hold
   */
  private void make(Entry entry, Task task, Consumer<Commit.Builder> terms, Runnable again) {
    Key key = Keys.task(task.id());
    Commit.Builder rest = Commit.when().unchanged(entry);
    terms.accept(rest);
    factory.createPending(new Creation(
        List.of(task),
        rest.delete(entry.key()).build(),
        revision -> {
          open.remove(entry.key());
          changed.run();
        },
        guard -> {
          if (guard.key().equals(key)) {
            close(entry); // it exists already
          } else if (!guard.key().equals(entry.key())) {
            again.run();
          } else {
            open.remove(entry.key());
            table.load(task.id(), () -> {}); // perhaps by our own commit, whose answer got lost
          }
        },
        false));
  }

  /** Ends a task: at once while it waits, by an order to its worker while it is held. */
  public void cancel(TaskId id, CancelRequested asked) {
    LiveTask live = table.tasks.find(id);
    if (live == null) {
      closeIfGone(id, asked);
    } else {
      table.requestCancel(live, asked);
      cancelIfAsked(live);
    }
  }

  /** That we do not know the task does not mean that there is none: the store decides, and a request stays as long as its task. */
  private void closeIfGone(TaskId id, CancelRequested asked) {
    asked.entry().ifPresent(entry -> closeIfGone(id, asked, entry, loop::post));
  }

  /**
   * The same.
   *
   * @param later when it is tried again; one that cannot be read has to be repaired by an operator
   */
  private void closeIfGone(
      TaskId id, CancelRequested asked, Entry entry, Consumer<Runnable> later) {
    Key task = Keys.task(id);
    committer.send(
        committer.commit().unchanged(entry).absent(task).delete(entry.key()),
        revision -> open.remove(entry.key(), entry),
        guard -> {
          if (!guard.key().equals(task)) {
            open.remove(entry.key(), entry);
            return;
          }
          table.load(id, () -> {
            if (table.contains(id)) {
              cancel(id, asked);
            } else {
              later.accept(() -> closeIfGone(id, asked, entry, loop::retryRarely));
            }
          });
        });
  }

  public void cancelIfAsked(LiveTask live) {
    if (live.cancel().isEmpty() || !live.isFree()) {
      return;
    }
    CancelRequested asked = live.cancel().get();
    switch (live.task().state()) {
      case TaskState.Pending unused ->
        transitions.rewrite(
            live,
            List.of(new Command.Cancel(asked.request().by(), asked.request().reason())),
            TaskTransitions.Terms.NONE,
            ended -> changed.run());
      case TaskState.Held held ->
        assigner.sendOrders(
            held.attempt().worker(),
            List.of(
                new Inbox.Order.Stop(live.id(), held.attempt().token().value(), asked.request())));
      case TaskState.Final unused -> {
        // It is over, and the request goes with it.
      }
    }
  }

  private void prioritise(Entry entry, Request.Reprioritise change) {
    LiveTask live = table.tasks.find(change.task());
    if (live == null || !live.isPending()) {
      close(entry);
    } else if (!live.isFree()) {
      loop.retry(() -> prioritise(entry, change));
    } else {
      boolean sent = transitions.rewrite(
          live,
          List.of(new Command.Reprioritise(change.priority())),
          new TaskTransitions.Terms() {
            @Override
            public void addTo(Commit.Builder commit) {
              commit.unchanged(entry).delete(entry.key());
            }

            @Override
            public boolean refusedBy(Key key) {
              if (!key.equals(entry.key())) {
                // The task has changed: what it is now decides about the request.
                loop.retry(() -> prioritise(entry, change));
                return false;
              }
              open.remove(entry.key(), entry);
              return true;
            }
          },
          changedTask -> {
            open.remove(entry.key(), entry);
            changed.run();
          });
      if (!sent) {
        close(entry);
      }
    }
  }

  private void close(Entry entry) {
    open.remove(entry.key());
    committer.send(
        committer.commit().unchanged(entry).delete(entry.key()), revision -> {}, guard -> {});
  }
}
