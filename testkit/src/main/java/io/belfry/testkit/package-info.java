/**
 * What proves a store.
 *
 * <pre>
 *   StoreContract ◀── extends ── MemoryStoreTest, EmbeddedStoreTest, EtcdStoreTest, RedisStoreTest
 *        │ uses
 *   ManualTime (memory only) · FaultyStore (unknown outcomes on demand) · engine (real servers on loopback)
 *   fault (the law of adapters on a bad network) · Seeds (a law on many seeds)
 * </pre>
 *
 * Law: tests wait for what is announced; nothing here sleeps.
 */
@NullMarked
package io.belfry.testkit;

import org.jspecify.annotations.NullMarked;
