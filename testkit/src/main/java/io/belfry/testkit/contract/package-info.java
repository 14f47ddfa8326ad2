/**
 * The contract of a store, as tests grouped by promise. An adapter is tested by a subclass of {@link
 * io.belfry.testkit.contract.StoreContract} that opens it.
 *
 * <pre>
 *   StoreContract = Commits + Guards + Order + Leases + Watches + Concurrency + Outcomes + Closing
 * </pre>
 *
 * Law: code that uses a store relies only on what is tested here.
 */
@NullMarked
package io.belfry.testkit.contract;

import org.jspecify.annotations.NullMarked;
