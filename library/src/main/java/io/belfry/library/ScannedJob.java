package io.belfry.library;

import io.belfry.model.job.Job;

/** A job, and how far it has come. */
public record ScannedJob(Job job, JobTimes times) {}
