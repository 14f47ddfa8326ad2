/**
 * The definition of a store, as tests grouped by promise: an adapter passes by extending {@link
 * io.belfry.testkit.contract.StoreContract} and opening itself.
 *
 * <pre>
 *   StoreContract = Commits + Guards + Order + Leases + Watches + Concurrency + Outcomes + Closing
 * </pre>
 *
 * Law: what a test here does not ask for, no code above a store may rely on.
 */
@NullMarked
package io.belfry.testkit.contract;

import org.jspecify.annotations.NullMarked;
