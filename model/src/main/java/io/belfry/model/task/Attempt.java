package io.belfry.model.task;

import java.time.Instant;

/** One attempt at a task by one worker, under one fencing token. Numbered from 1. */
public record Attempt(int number, Token token, String worker, Instant assigned) {}
