/**
 * How the code of an attempt is found, started, stopped and heard.
 *
 * <pre>
 *   worker loop ──start──▶ virtual thread ──▶ executor of the task's type ──▶ user code
 *        ▲                      │                                              │
 *        └──── ending ◀─────────┴──── returned · failed · rejected ◀───────────┘
 * </pre>
 *
 * <p>Law: whatever user code does, its attempt ends exactly once for the loop, and only when the code has really ended.
 */
@NullMarked
package io.belfry.core.execute;

import org.jspecify.annotations.NullMarked;
