package io.belfry.core.record;

import java.time.Instant;

/**
 * The fence: who leads by right. Its revision is what every write of a leader holds.
 *
 * @param number grows by one with every leader
 * @param leader the node, with its incarnation
 * @param since by the leader's wall clock, for people
 * @param electedBy id of the engine's data set that the election was won on, so that two elections on different engines are not
 *     compared
 * @param ballot the revision that the election was won with there
 */
public record Term(long number, String leader, Instant since, String electedBy, long ballot) {}
