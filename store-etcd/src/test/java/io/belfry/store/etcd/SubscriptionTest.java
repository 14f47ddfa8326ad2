package io.belfry.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.belfry.store.Change;
import io.belfry.store.Feed;
import io.belfry.store.Revision;
import io.belfry.store.Space;
import io.belfry.store.Watch;
import io.belfry.store.Watcher;
import io.belfry.store.etcd.proto.Event;
import io.belfry.store.etcd.proto.KeyValue;
import io.belfry.store.etcd.proto.WatchResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The resume point moves only behind the last fragment of a revision, and only at revision boundaries. */
class SubscriptionTest {
  private static final Names NAMES = new Names("/t/");
  private static final Space SPACE = Space.plain("w").watchedTogether();

  private final List<String> heard = new ArrayList<>();
  private final Subscription subscription = new Subscription(
      1,
      Feed.of(SPACE),
      Watch.NOW,
      new Watcher() {
        @Override
        public void opened(long revision) {
          heard.add("opened " + Revision.show(revision));
        }

        @Override
        public void changed(long revision, List<Change> changes) {
          heard.add(Revision.show(revision) + " "
              + changes.stream().map(change -> change.key().text()).toList());
          if (changes.getFirst().key().text().equals("bad")) {
            throw new IllegalStateException("a watcher's own bug");
          }
        }

        @Override
        public void compacted() {
          heard.add("compacted");
        }
      },
      NAMES,
      () -> {});

  @BeforeEach
  void begin() {
    subscription.beginAfter(new EtcdEpoch(2, 7, 1), 10);
    subscription.opened();
    heard.clear();
  }

  @Test
  void several_revisions_of_one_answer_are_told_one_by_one() {
    subscription.heard(answer(false, put("a", 11), put("b", 11), put("c", 12)));
    assertThat(heard).containsExactly("2-11 [a, b]", "2-12 [c]");
    assertThat(subscription.resumeAt()).isEqualTo(13);
  }

  @Test
  void a_revision_in_fragments_is_told_whole() {
    subscription.heard(answer(true, put("a", 11), put("b", 12)));
    assertThat(heard).containsExactly("2-11 [a]");
    subscription.heard(answer(true, put("c", 12)));
    assertThat(heard).hasSize(1);
    subscription.heard(answer(false, put("d", 12)));
    assertThat(heard).containsExactly("2-11 [a]", "2-12 [b, c, d]");
  }

  @Test
  void a_stream_that_breaks_between_fragments_resumes_at_the_whole_revision() {
    subscription.heard(answer(true, put("a", 11), put("b", 12)));
    assertThat(subscription.resumeAt()).isEqualTo(12);
    subscription.heard(answer(false, put("b", 12), put("c", 12)));
    assertThat(heard).containsExactly("2-11 [a]", "2-12 [b, c]");
    assertThat(subscription.resumeAt()).isEqualTo(13);
  }

  @Test
  void what_was_told_is_not_told_again() {
    subscription.heard(answer(false, put("old", 10), put("a", 11)));
    subscription.heard(answer(false, put("a", 11), put("b", 12)));
    assertThat(heard).containsExactly("2-11 [a]", "2-12 [b]");
  }

  @Test
  void progress_moves_the_resume_point_but_not_in_the_middle_of_a_revision() {
    subscription.progressed(40);
    assertThat(subscription.resumeAt()).isEqualTo(41);
    subscription.heard(answer(true, put("a", 45)));
    subscription.progressed(60);
    assertThat(subscription.resumeAt()).isEqualTo(41);
  }

  @Test
  void after_compacted_nothing_is_said() {
    subscription.compacted();
    subscription.heard(answer(false, put("a", 11)));
    subscription.compacted();
    assertThat(heard).containsExactly("compacted");
    assertThat(subscription.isOpen()).isFalse();
  }

  @Test
  void a_watcher_that_throws_has_missed_something_and_is_told_so() {
    subscription.heard(answer(false, put("bad", 11), put("a", 12)));
    assertThat(heard).containsExactly("2-11 [bad]", "compacted");
  }

  private static WatchResponse answer(boolean fragment, Event... events) {
    return WatchResponse.newBuilder()
        .setWatchId(1)
        .setFragment(fragment)
        .addAllEvents(List.of(events))
        .build();
  }

  private static Event put(String name, long revision) {
    return Event.newBuilder()
        .setKv(KeyValue.newBuilder()
            .setKey(ByteString.copyFromUtf8("/t/w/" + name))
            .setModRevision(revision))
        .build();
  }
}
