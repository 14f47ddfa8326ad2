package io.belfry.core.jobs;

import io.belfry.core.keys.CalendarKeys;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Store;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Some of the jobs that use a calendar. Threading: immutable.
 *
 * @param mark rewritten by every job that starts using it: guards against uses that the scan missed
 */
record CalendarUse(String calendar, Optional<Entry> mark, List<String> jobs) {

  static CompletionStage<CalendarUse> read(Store store, String calendar) {
    return store
        .get(List.of(CalendarKeys.use(calendar)))
        .thenCompose(marks -> store
            .scan(CalendarKeys.users(calendar).limit(JobDependencies.NAMED_MAX + 1))
            .thenApply(page -> {
              Optional<Entry> mark = marks.stream().findFirst();
              if (mark.filter(each -> each.revision() > page.revision()).isPresent()) {
                throw new CalendarSnapshot.Lagging();
              }
              List<String> jobs = page.entries().stream()
                  .map(each -> CalendarKeys.user(each.key()).value())
                  .toList();
              return new CalendarUse(calendar, mark, jobs);
            }));
  }

  void addTo(Commit.Builder commit) {
    mark.ifPresentOrElse(commit::unchanged, () -> commit.absent(CalendarKeys.use(calendar)));
  }
}
