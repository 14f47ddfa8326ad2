package io.belfry.server.metrics;

import java.util.Map;

/**
 * Figures of the answers of one server.
 *
 * @param held bytes that answers take now
 * @param most bytes that they may take
 * @param readers requests that list or search now
 * @param refused answers since the start, by why
 */
public record AnswerMetrics(long held, long most, int readers, Map<String, Long> refused) {
  void write(Scrape scrape) {
    scrape.gauge(
        "belfry_http_answer_bytes",
        "Memory that answers take while they are built and until their clients have read them.",
        held);
    scrape.gauge("belfry_http_answer_bytes_max", "What they may take (limit.answers).", most);
    scrape.gauge("belfry_http_readers", "Requests that list or search, and run now.", readers);
    refused.forEach((reason, count) -> scrape.counter(
        "belfry_http_answers_refused",
        "Answers that were refused or ended early, by reason: memory (of all), memory_share (of the token), readers (of all), readers_share (of the token).",
        count,
        "reason",
        reason));
  }
}
