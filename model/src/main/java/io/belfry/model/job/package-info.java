/**
 * Job definitions: trigger, work and policies.
 *
 * <pre>
 *   Job ── id, description, enabled, saved(generation, created, updated)
 *    ├─ Trigger     when it fires          cron │ every │ at │ after │ manual
 *    ├─ Work        what it executes       executor + payload, timeout, retry, queue, limits
 *    └─ policies    what if …              missed, overlap, shards, expect, notify, retain
 *
 *   Job.named("nightly").cron("0 30 2 * * *", zone).local("send-invoice").build()
 * </pre>
 *
 * <p>Law: a job that exists is valid on its own. Every bound is checked when the value is created, and the
 * refusal names the field as the user wrote it. Checks that need other records (does the calendar exist?)
 * are made where those records are known.
 */
@NullMarked
package io.belfry.model.job;

import org.jspecify.annotations.NullMarked;
