/**
 * A server as its users meet it: a process of its own, started by the launcher, asked over HTTP.
 *
 * <pre>
 *   ServerBench ──▶ ServerProcess (./belfry server …)      Wire: one connection, as little work as possible on our side
 *        └────────▶ EchoServer ◀── the http executor
 * </pre>
 *
 * <p>Law: an answer that is not the expected one ends the run with an error, not with a figure.
 */
@NullMarked
package io.belfry.bench.server;

import org.jspecify.annotations.NullMarked;
