/**
 * Servers as an operator runs them: real processes on real engines, by the flags that docs/cluster.md names, asked over REST and by the
 * command line.
 *
 * <pre>
 *   test ──REST, belfry …──▶ server n1, n2, n3 ──▶ etcd or Redis
 *     └────kill -9, SIGTERM────▲
 * </pre>
 *
 * <p>Law: nothing of a server is touched but its process, its directory and its API.
 */
@NullMarked
package io.belfry.tests.cluster;

import org.jspecify.annotations.NullMarked;
