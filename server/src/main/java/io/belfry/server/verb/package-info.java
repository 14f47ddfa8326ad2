/**
 * The verbs that run a node, and those that look at its configuration.
 *
 * <pre>
 *   flags, file, variables ──▶ Startup ──▶ Config ──▶ Inspection ──▶ problems, all at once
 *                                             │
 *                                             └──▶ Program: lock of the directory, executors, handlers, Node, API, address
 * </pre>
 *
 * <p>Law: what check refuses, a start refuses, and the other way round; a start that fails leaves nothing open and says why in a
 * sentence.
 */
@NullMarked
package io.belfry.server.verb;

import org.jspecify.annotations.NullMarked;
