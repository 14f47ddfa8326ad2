package io.belfry.library;

import java.time.Duration;

/**
 * How things are. What is counted is counted since this Belfry was opened, while it led: a leader sees everything that happens in its
 * namespace, the others do not. What is there now is the same on every node.
 *
 * @param tasksTotal tasks that came into being: fired, triggered, submitted
 * @param tasksPending tasks that wait now, for their time or for a worker
 * @param tasksRunning tasks that workers have now, begun or not
 * @param tasksCompleted tasks that ended well
 * @param tasksFailed tasks that ended badly, retries included
 * @param tasksCancelled tasks that ended because somebody asked for it
 * @param tasksRetried attempts after which the task waited again
 * @param firesSkipped due instants that were not fired, for a recorded reason
 * @param workersOnline workers that have a lease now
 * @param workersOffline workers that this node has seen and that have none now
 * @param taskThroughput tasks that ended in a second, over the last minute or since the start
 * @param schedulerUptime since this Belfry was opened
 * @param elections leaders that the namespace has had so far
 * @param attemptsRunning attempts whose code runs in this process now
 * @param eventsDropped events that callbacks were too slow for
 */
public record Metrics(
    long tasksTotal,
    long tasksPending,
    long tasksRunning,
    long tasksCompleted,
    long tasksFailed,
    long tasksCancelled,
    long tasksRetried,
    long firesSkipped,
    long workersOnline,
    long workersOffline,
    double taskThroughput,
    Duration schedulerUptime,
    long elections,
    long attemptsRunning,
    long eventsDropped) {}
