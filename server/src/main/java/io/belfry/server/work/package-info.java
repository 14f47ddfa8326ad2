/**
 * How attempts are carried out on a node.
 *
 * <pre>
 *   configuration ──▶ NamespaceExecutors ──▶ http (one client for all) · script (if switched on) · local handlers from jars
 *                          └── EgressBook: where calls of each namespace may go; never to a node or its engine
 * </pre>
 *
 * <p>Law: what is not switched on is not there.
 */
@NullMarked
package io.belfry.server.work;

import org.jspecify.annotations.NullMarked;
