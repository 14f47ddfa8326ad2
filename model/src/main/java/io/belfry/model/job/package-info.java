/**
 * What a user defines.
 *
 * <pre>
 *   Job ── id, description, enabled, saved(generation, created, updated)
 *    ├─ Trigger     when it fires          cron │ every │ at │ after │ manual
 *    ├─ Work        what is then done      executor + payload, timeout, retry, queue, limits
 *    └─ policies    what if …              missed, overlap, shards, expect, notify, retain
 *
 *   Job.named("nightly").cron("0 30 2 * * *", zone).local("send-invoice").build()
 * </pre>
 *
 * <p>Law: a job that exists is valid on its own; every bound is checked where the value is made, and the
 * refusal names the field as the user wrote it. What needs other records (does the calendar exist, does the
 * expression ever fire) is checked where those are known.
 */
@NullMarked
package io.belfry.model.job;

import org.jspecify.annotations.NullMarked;
