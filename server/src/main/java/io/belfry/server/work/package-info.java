/**
 * The executors of a node, which run attempts.
 *
 * <pre>
 *   configuration ──▶ NamespaceExecutors ──▶ http (one client for all) · script (if enabled) · local handlers from jars
 *                          └── NamespaceEgress: egress rules of each namespace; nodes and engines are always denied
 * </pre>
 *
 * <p>Law: an executor that is not enabled does not exist.
 */
@NullMarked
package io.belfry.server.work;

import org.jspecify.annotations.NullMarked;
