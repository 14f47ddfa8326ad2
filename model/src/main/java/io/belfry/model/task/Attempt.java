package io.belfry.model.task;

import java.time.Instant;

/** One worker's try at a task, under one token. Numbered from 1. */
public record Attempt(int number, Token token, String worker, Instant assigned) {}
