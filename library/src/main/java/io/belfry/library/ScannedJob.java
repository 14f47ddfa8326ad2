package io.belfry.library;

import io.belfry.model.job.Job;

/** A job with its next and last fire times. */
public record ScannedJob(Job job, JobTimes times) {}
