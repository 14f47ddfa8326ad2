/**
 * The store on Redis: one server, servers behind Sentinel, or a Cluster.
 *
 * <pre>
 *   RedisStore ──commit──▶ Committer ──batches──┐
 *        │──get · scan · lease · barrier─────┤
 *        │                                   ▼
 *        │                                 Desk ──▶ Session: EVALSHA … WAIT on one Wire ──▶ the primary, found by a Locator
 *        │                                   ▲ refused: asked again, in order                  *.lua, one per verb
 *        │              Watchdog: gives up calls past their deadline, cuts what is silent or stuck
 *        └──watch──▶ FeedReader: XREAD BLOCK on a Wire of its own ──same life? durable?──▶ watchers
 * </pre>
 *
 * Law: an answer counts only in the life of the data set in which it was asked ({@link io.belfry.store.redis.DataSetLife}), and
 * only when enough replicas have what it stands on. Who is told more is told of something that a failover takes back.
 */
@NullMarked
package io.belfry.store.redis;

import org.jspecify.annotations.NullMarked;
