/**
 * The store on an etcd v3 cluster.
 *
 * <pre>
 *   EtcdStore ── commit ──▶ Committer ──batch──▶ Batches ─┐
 *        │ get, scan ─────▶ Reads ───────────────────┤        ┌─ Link: one line at a time, the next member
 *        │ grant, renew ──▶ Leases ──────────────────┼─▶ Calls┤        when this one fails or falls silent
 *        │ watch ─────────▶ WatchHub ──▶ one stream ─┘        └─ Tokens: authenticate, again when stale
 *        └ Compactor ──▶ SpaceAlarm (dedicated etcd only)
 *
 *   Calls: each Ask completes by its deadline; Probe finds silent members; Troubles logs what is lost, refused or full, and its end
 *
 *   every batch and every read compares Eras' two records, so that nothing happens under another epoch
 * </pre>
 *
 * Law: what may have reached etcd and was not answered is unknown, and is never sent a second time from here.
 */
@NullMarked
package io.belfry.store.etcd;

import org.jspecify.annotations.NullMarked;
