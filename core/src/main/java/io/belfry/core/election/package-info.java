/**
 * Who may decide, and until when.
 *
 * <pre>
 *   election engine                      state engine
 *   leader key absent ──▶ mine, leased ──▶ term + 1 under guard ──▶ lead, while trusted
 *        ▲                                                             │
 *        └── lease ended, trust over, fence refused, resigned, cannot write ◀┘
 * </pre>
 *
 * <p>A lease only decides who tries. What makes a leader is the term it has committed on the state engine, and what keeps a deposed
 * one from doing harm is that every write of a leader holds that term: the engine refuses the others in the same step.
 *
 * <p>Law: trust counts from before the question was sent, and ends by itself. Nothing here is decided by a read alone.
 */
@NullMarked
package io.belfry.core.election;

import org.jspecify.annotations.NullMarked;
