package io.belfry.core.reign;

import io.belfry.model.task.CancelRequest;
import io.belfry.store.Entry;
import java.util.Optional;

/**
 * That a task is to end.
 *
 * @param entry the durable request, which goes with the task; none where the leader itself wants it
 */
record CancelAsked(CancelRequest request, Optional<Entry> entry) {}
