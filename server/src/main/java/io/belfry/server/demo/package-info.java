/**
 * A whole installation in one process, with something going on in it, for somebody who has never seen one.
 *
 * <pre>
 *   DemoCommand ──▶ Program (a server like any other, on a directory of its own)
 *        │             ▲ REST              │ http executor
 *        ├──▶ DemoFill ┘                   ▼
 *        └──▶ DemoTarget ◀──────────── sample jobs          DemoHandlers: the local ones
 * </pre>
 *
 * <p>Law: it does nothing that a user could not do, and touches no directory that was not made for it.
 */
@NullMarked
package io.belfry.server.demo;

import org.jspecify.annotations.NullMarked;
