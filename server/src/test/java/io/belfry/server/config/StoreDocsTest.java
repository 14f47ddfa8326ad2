package io.belfry.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.library.Engine;
import io.belfry.library.Settings;
import io.belfry.server.node.LibrarySettings;
import io.belfry.store.embedded.EmbeddedSettings;
import io.belfry.store.redis.RedisSettings;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The pages about engines document exactly the existing settings; the server uses every setting of the catalog. */
class StoreDocsTest {
  private static final Path DOCS = Path.of("../docs");
  private static final Path SOURCES = Path.of("src/main/java");
  private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
  private static final Pattern KEY = Pattern.compile("[a-z]+(\\.[a-zA-Z]+)+");

  /** The first cells of the rows of the table with this header. */
  private static Set<String> firstCells(String page, String head) throws IOException {
    var cells = new TreeSet<String>();
    boolean inside = false;
    for (String line : Files.readAllLines(DOCS.resolve(page))) {
      if (line.startsWith("| " + head)) {
        inside = true;
      } else if (!line.startsWith("|")) {
        inside = false;
      } else if (inside && !line.startsWith("|---")) {
        String cell = line.substring(1, line.indexOf('|', 1));
        QUOTED.matcher(cell).results().map(found -> found.group(1)).forEach(cells::add);
      }
    }
    assertThat(cells).as("settings on " + page).isNotEmpty();
    return cells;
  }

  private static Set<String> keysOfStore(String... without) {
    return SettingsCatalog.ALL.stream()
        .map(Setting::key)
        .filter(key -> key.startsWith("store.") && !List.of(without).contains(key))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void the_page_about_etcd_names_the_keys_that_a_server_takes_for_it() throws IOException {
    Set<String> shown = firstCells("store-etcd.md", "setting of a server");
    Set<String> keys =
        shown.stream().filter(each -> KEY.matcher(each).matches()).collect(Collectors.toSet());
    assertThat(keys)
        .containsExactlyInAnyOrderElementsOf(
            keysOfStore("store.database", "store.acknowledgements"));
    for (String other : List.of("store.database=1", "store.acknowledgements=1")) {
      Config config = Config.defaults().set("store.uri=etcd://127.0.0.1:1").set(other);
      assertThatThrownBy(() -> LibrarySettings.of(config, "default").checked())
          .as(other)
          .hasMessageContaining("must not be given with this store");
    }
  }

  @Test
  void options_of_an_address_on_etcd_are_accepted_as_shown_and_no_others() throws IOException {
    Set<String> options = firstCells("store-etcd.md", "setting of a server").stream()
        .filter(each -> each.startsWith("?"))
        .map(each -> each.substring(1, each.indexOf('=')))
        .collect(Collectors.toSet());
    String address = "etcd://127.0.0.1:1?";
    for (String option : options) {
      String value = option.equals("dedicated") ? "yes" : "2000000";
      String whole = address + option + "=" + (option.equals("keep-seconds") ? "60" : value);
      assertThat(checked(whole)).as(whole).isNotNull();
    }
    assertThatThrownBy(() -> checked(address + "connect-timeout=1s"))
        .satisfies(refused -> assertThat(options.stream().sorted())
            .as("the options that the refusal names: " + refused.getMessage())
            .allMatch(String.valueOf(refused.getMessage())::contains))
        .hasMessageContaining("connect-timeout");
  }

  private static Settings checked(String uri) {
    return LibrarySettings.of(Config.defaults().set("store.uri", uri, "the test"), "default")
        .checked();
  }

  @Test
  void the_page_about_redis_names_the_keys_that_a_server_takes_for_it() throws IOException {
    assertThat(firstCells("store-redis.md", "setting of a server"))
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(keysOfStore("store.uri").stream(), Stream.of("namespaces"))
                .toList());
  }

  @Test
  void values_for_programs_that_open_a_store_themselves_are_those_of_its_settings()
      throws IOException {
    assertThat(components(EmbeddedSettings.class))
        .containsAll(firstCells("store-embedded.md", "value of `EmbeddedSettings`"));
    assertThat(components(RedisSettings.class)).containsAll(firstCells("store-redis.md", "value "));
  }

  private static Set<String> components(Class<? extends Record> type) {
    return Stream.of(type.getRecordComponents())
        .map(RecordComponent::getName)
        .collect(Collectors.toSet());
  }

  @ParameterizedTest
  @CsvSource({"store-etcd.md", "store-redis.md"})
  void methods_for_programs_exist(String page) throws IOException {
    String text = Files.readString(DOCS.resolve(page));
    Map<String, Class<?>> types = Map.of("Engine", Engine.class, "Settings", Settings.class);
    Set<String> named = Pattern.compile("`(Engine|Settings)\\.([a-z]+)`")
        .matcher(text)
        .results()
        .map(MatchResult::group)
        .collect(Collectors.toSet());
    assertThat(named).isNotEmpty();
    for (String each : named) {
      String[] parts = each.replace("`", "").split("\\.", -1);
      assertThat(Objects.requireNonNull(types.get(parts[0])).getMethods())
          .as(each)
          .extracting(Method::getName)
          .contains(parts[1]);
    }
  }

  @Test
  void the_settings_of_an_engine_reach_it(@TempDir Path own) throws IOException {
    Path file = Files.writeString(own.resolve("some.pem"), "");
    Engine engine = LibrarySettings.store(Config.defaults()
        .set("store.uri=rediss://127.0.0.1:1")
        .set("store.user=u")
        .set("store.password=p")
        .set("store.database=3")
        .set("store.acknowledgements=2")
        .set("store.tls.authority=" + file)
        .set("store.tls.certificate=" + file)
        .set("store.tls.key=" + file));
    assertThat(engine.uri().text()).isEqualTo("rediss://127.0.0.1:1");
    assertThat(engine.login()).contains(new Engine.Login("u", "p"));
    assertThat(engine.database()).isEqualTo(3);
    assertThat(engine.acknowledgements()).hasValue(2);
    assertThat(engine.certificates().orElseThrow().authority()).isEqualTo(file);
    assertThat(engine.certificates().orElseThrow().identity())
        .contains(new Engine.Certificates.Identity(file, file));
  }

  /** An unused setting would be accepted and have no effect. */
  @Test
  void every_key_of_the_catalogue_is_read_by_the_server() throws IOException {
    String sources;
    try (Stream<Path> files = Files.walk(SOURCES)) {
      sources = files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file ->
              !file.endsWith("SettingsCatalog.java") && !file.endsWith("ExecutorSettings.java"))
          .map(StoreDocsTest::text)
          .collect(Collectors.joining());
    }
    Stream.of(SettingsCatalog.class, ExecutorSettings.class)
        .flatMap(catalogue -> Stream.of(catalogue.getDeclaredFields())
            .filter(field -> field.getType() == Setting.class)
            .map(field -> catalogue.getSimpleName() + "." + field.getName()))
        .forEach(
            name -> assertThat(Pattern.compile("\\b" + Pattern.quote(name) + "\\b(?!\\.key\\(\\))")
                    .matcher(sources)
                    .find())
                .as(name + " is read somewhere")
                .isTrue());
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
