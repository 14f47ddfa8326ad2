/**
 * The small transactional key space that all state lives in.
 *
 * <pre>
 *   core ──▶ MonitoredStore (EngineHealth: does the engine accept writes?)
 *                │
 *                ▼
 *            Store: commit(guards, writes) · get · scan · grant/renew/revoke · watch
 *                         │
 *        ┌────────────────┼───────────────┬──────────────┐
 *   MemoryStore       embedded          etcd           Redis       one suite, StoreContract, defines them all
 *  (specification)        └──── Committer gathers batches ───┘
 * </pre>
 *
 * Law: mechanism only. Nothing here knows what a job, a task or a leader is.
 */
@NullMarked
package io.belfry.store;

import org.jspecify.annotations.NullMarked;
