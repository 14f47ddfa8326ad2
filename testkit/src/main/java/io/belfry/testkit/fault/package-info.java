/**
 * Tests that every store adapter must pass on an unreliable network.
 *
 * <pre>
 *   AdapterFaults ──issues──▶ FaultCalls ──▶ store under test ──▶ FaultProxy ──▶ engine
 *        └── after each round: every call complete, every outcome compared with what the engine holds (FaultCommit)
 * </pre>
 *
 * Law: every call completes by its deadline with a true outcome, whatever happens to the connection.
 */
@NullMarked
package io.belfry.testkit.fault;

import org.jspecify.annotations.NullMarked;
