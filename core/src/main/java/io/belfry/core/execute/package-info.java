/**
 * Finds, starts and stops the code of an attempt, and reports how it ended.
 *
 * <pre>
 *   worker loop ──start──▶ virtual thread ──▶ executor of the task's type ──▶ user code
 *        ▲                      │                                              │
 *        └──── ending ◀─────────┴──── returned · failed · rejected ◀───────────┘
 * </pre>
 *
 * <p>Law: whatever user code does, the loop gets exactly one ending per attempt, and only when the code has really ended.
 */
@NullMarked
package io.belfry.core.execute;

import org.jspecify.annotations.NullMarked;
