package io.belfry.tests.witness;

/**
 * What one process wrote as the leader of one term, by revisions of the store and not by clocks.
 *
 * @param leader the process, with its incarnation
 * @param fence the revision that the term was won with
 * @param last the highest revision of an accepted write that held this fence
 */
record Act(String leader, long fence, long last) {}
