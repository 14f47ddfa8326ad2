package io.belfry.core.record;

import java.time.Instant;

/**
 * The term, and the fence: every write of a leader is guarded by its revision.
 *
 * @param number grows by one with every leader
 * @param leader the node, with its incarnation
 * @param since by the leader's wall clock, for users
 * @param electedBy id of the data set of the engine on which the election was won, so that elections on different engines are not
 *     compared
 * @param ballot the revision with which the election was won there
 */
public record Term(long number, String leader, Instant since, String electedBy, long ballot) {}
