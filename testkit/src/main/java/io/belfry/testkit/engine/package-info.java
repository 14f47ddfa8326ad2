/**
 * Real engines for tests: processes on free loopback ports with directories of their own, removed after the test.
 *
 * <pre>
 *   test ──▶ TcpProxy (cut · stall · swallow, on demand), FaultProxy (the same at random offsets, by a seed) ──▶ ServerProcess (kill -9 · SIGSTOP) ◀── Binaries (installed, or unpacked)
 * </pre>
 *
 * Law: no process started here outlives the JVM that started it.
 */
@NullMarked
package io.belfry.testkit.engine;

import org.jspecify.annotations.NullMarked;
