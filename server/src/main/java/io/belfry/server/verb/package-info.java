/**
 * The CLI commands that run a node, and those that check and show its configuration.
 *
 * <pre>
 *   flags, file, variables ──▶ Startup ──▶ Config ──▶ Inspection ──▶ all problems at once
 *                                             │
 *                                             └──▶ Program: lock of the data directory, executors, handlers, Node, API, address
 * </pre>
 *
 * <p>Law: {@code config check} and a start refuse the same configurations. A failed start leaves nothing open and prints the reason in one
 * sentence.
 */
@NullMarked
package io.belfry.server.verb;

import org.jspecify.annotations.NullMarked;
