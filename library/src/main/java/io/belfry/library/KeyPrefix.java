package io.belfry.library;

import io.belfry.model.Check;
import java.util.List;

/**
 * Prefix of all keys: one name, or on etcd a path of several names. Leading and trailing slashes are ignored.
 *
 * <p>A path ends with an empty step, {@code /my-app/scheduler//default/…}: otherwise the namespace {@code b} below the prefix {@code a} and
 * the prefix {@code a/b} would share keys. A single name needs none, {@code /belfry/default/…}, because a namespace is a single name, too.
 */
record KeyPrefix(List<String> names) {
  private static final int CHARS_MAX = 64;

  KeyPrefix {
    names = List.copyOf(names);
  }

  static KeyPrefix parse(String text) {
    String path = text.replaceAll("^/|/$", "");
    Check.atMost("prefix", path, CHARS_MAX);
    List<String> names = List.of(path.split("/", -1));
    names.forEach(name -> Check.name("prefix", name, CHARS_MAX));
    return new KeyPrefix(names);
  }

  String onEtcd(String namespace) {
    String end = names.size() == 1 ? "/" : "//";
    return "/" + String.join("/", names) + end + namespace + "/";
  }

  String onRedis() {
    if (names.size() > 1) {
      throw Check.refusal(
          "prefix",
          String.join("/", names),
          "must be one name on Redis, because it becomes part of the hash tag that keeps keys in one slot",
          "Write for example " + String.join(".", names) + ", or use etcd.");
    }
    return names.getFirst();
  }
}
