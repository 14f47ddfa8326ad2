/**
 * Benchmarks of a real server: a process of its own, started by the launcher and called over HTTP.
 *
 * <pre>
 *   ServerBench ──▶ ServerProcess (./belfry server …)      HttpConnection: as little client work as possible
 *        └────────▶ EchoServer ◀── the http executor
 * </pre>
 *
 * <p>Law: an unexpected response ends the run with an error, not with a figure.
 */
@NullMarked
package io.belfry.bench.server;

import org.jspecify.annotations.NullMarked;
