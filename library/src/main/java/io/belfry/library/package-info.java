/**
 * Belfry inside a Java program.
 *
 * <pre>
 *   your code ──▶ Belfry ──┬──▶ loop that decides: scheduler, jobs, submissions, requests ──┐
 *       ▲                  │                                                               ├──▶ store: embedded, etcd, Redis
 *       │                  └──▶ loop that works: worker ──▶ virtual threads ──▶ handlers ───┘
 *       └── callbacks, each on a thread of its own ◀── what happened
 * </pre>
 *
 * <p>{@link io.belfry.library.Belfry} is the door. Its methods block their caller, within a limit; no method blocks a loop, and no
 * handler or callback of yours runs on one.
 *
 * <p>Law: what a method has returned is durable; a part that broke stops deciding at once, and the store's fences keep it out.
 */
@NullMarked
package io.belfry.library;

import org.jspecify.annotations.NullMarked;
