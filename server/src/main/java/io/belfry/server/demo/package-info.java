/**
 * A demo: a whole installation in one process, with sample jobs, for new users.
 *
 * <pre>
 *   DemoCommand ──▶ Program (an ordinary server with its own data directory)
 *        │             ▲ REST              │ http executor
 *        ├──▶ DemoFill ┘                   ▼
 *        └──▶ DemoTarget ◀──────────── sample jobs          DemoHandlers: the local ones
 * </pre>
 *
 * <p>Law: it does nothing that a user could not do, and writes only to its own directory.
 */
@NullMarked
package io.belfry.server.demo;

import org.jspecify.annotations.NullMarked;
