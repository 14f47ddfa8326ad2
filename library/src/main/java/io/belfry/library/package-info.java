/**
 * The Java library: runs a scheduler, a worker, or both inside your program.
 *
 * <pre>
 *   your code ──▶ Belfry ──┬──▶ scheduler loop: leader election, jobs, submissions, requests ──┐
 *       ▲                  │                                                                  ├──▶ store: embedded, etcd, Redis
 *       │                  └──▶ worker loop ──▶ virtual threads ──▶ handlers ──────────────────┘
 *       └── event callbacks, one thread for each ◀── events
 * </pre>
 *
 * <p>{@link io.belfry.library.Belfry} is the entry point. Its methods block the calling thread, at most for {@code callTimeout}. Handlers and
 * callbacks never run on a loop thread.
 *
 * <p>Law: a change is durable when its method returns; a part that failed stops deciding at once, and fencing tokens keep its writes out.
 */
@NullMarked
package io.belfry.library;

import org.jspecify.annotations.NullMarked;
