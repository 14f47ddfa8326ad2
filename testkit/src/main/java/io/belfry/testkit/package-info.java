/**
 * Test support for stores: their contract, faults and real engines.
 *
 * <pre>
 *   StoreContract ◀── extends ── MemoryStoreTest, EmbeddedStoreTest, EtcdStoreTest, RedisStoreTest
 *        │ uses
 *   ManualTime (memory only) · FaultyStore (unknown outcomes on demand) · engine (real servers on loopback)
 *   fault (the law of adapters on an unreliable network) · Seeds (a law on many random seeds)
 * </pre>
 *
 * Law: tests wait for events; nothing here sleeps.
 */
@NullMarked
package io.belfry.testkit;

import org.jspecify.annotations.NullMarked;
