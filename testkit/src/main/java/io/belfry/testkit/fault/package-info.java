/**
 * Laws that every store adapter keeps on a bad network.
 *
 * <pre>
 *   AdapterFaults ──issues──▶ FaultCalls ──▶ store under test ──▶ FaultProxy ──▶ engine
 *        └── after each round: every call complete, every outcome compared with what the engine holds (FaultCommit)
 * </pre>
 *
 * Law: every call completes by its deadline with an outcome that is true, whatever happens to the connection.
 */
@NullMarked
package io.belfry.testkit.fault;

import org.jspecify.annotations.NullMarked;
