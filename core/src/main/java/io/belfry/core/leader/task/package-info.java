/**
 * What the leader knows of unfinished tasks.
 *
 * <pre>
 *   TaskFeed ──scan, news, reports──▶ TaskTable ──waiting, held──▶ Dispatcher
 *   TaskFactory ──new tasks─────────────▲  ▲
 *   TaskTransitions ──leader's changes─────┘
 * </pre>
 *
 * <p>Law: TaskTable is a cache of the store. The newest revision wins, whatever the order in which changes arrive.
 */
@NullMarked
package io.belfry.core.leader.task;

import org.jspecify.annotations.NullMarked;
