package io.belfry.server.verb;

import io.belfry.server.config.Config;
import io.belfry.server.config.Problems;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;
import tools.jackson.dataformat.yaml.YAMLWriteFeature;

/** {@code belfry config show}. */
@Command(
    mixinStandardHelpOptions = true,
    description = {
      "Show every setting with its effective value and its source: default, file,",
      "environment variable, or flag. Secrets are hidden."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  belfry config show --changed",
      "  belfry config show --config belfry.yaml --output yaml",
      "",
      "All settings are described in docs/configuration.md."
    })
final class ConfigShow implements Callable<Integer> {
  private static final String UNSET = "-";

  private enum Form {
    TABLE,
    JSON,
    YAML
  }

  private final Map<String, String> environment;

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before it runs anything
  private CommandSpec spec;

  @Mixin
  private Startup startup = new Startup();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORM",
      description = "Output format: table, json or yaml. Default: table.")
  private Form form = Form.TABLE;

  @Option(names = "--changed", description = "Show only settings that differ from their defaults.")
  private boolean changed;

  ConfigShow(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() {
    var problems = new Problems();
    Config config = startup.config(environment, problems);
    if (!problems.all().isEmpty()) {
      ProblemPrinter.print(problems.all(), spec.commandLine().getErr());
      return 1;
    }
    List<Config.Line> lines = config.lines().stream()
        .filter(line -> !changed || config.isSet(line.setting()))
        .toList();
    PrintWriter out = spec.commandLine().getOut();
    switch (form) {
      case TABLE -> table(lines, out);
      case JSON ->
        out.println(JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build()
            .writeValueAsString(tree(lines)));
      case YAML ->
        out.print(YAMLMapper.builder()
            .enable(YAMLWriteFeature.MINIMIZE_QUOTES)
            .disable(YAMLWriteFeature.WRITE_DOC_START_MARKER)
            .build()
            .writeValueAsString(tree(lines)));
    }
    out.flush();
    return 0;
  }

  private static ArrayNode tree(List<Config.Line> lines) {
    ArrayNode all = JsonMapper.builder().build().createArrayNode();
    for (Config.Line line : lines) {
      ObjectNode one = all.addObject().put("key", line.setting().key());
      line.value().ifPresentOrElse(value -> one.put("value", value), () -> one.putNull("value"));
      one.put("by", line.by());
    }
    return all;
  }

  private static void table(List<Config.Line> lines, PrintWriter out) {
    if (lines.isEmpty()) {
      out.println("All settings have their defaults.");
      return;
    }
    int key = width(lines.stream().map(line -> line.setting().key()).toList(), "KEY");
    int value = width(lines.stream().map(line -> line.value().orElse(UNSET)).toList(), "VALUE");
    String row = "%-" + key + "s  %-" + value + "s  %s%n";
    out.printf(row, "KEY", "VALUE", "SOURCE");
    for (Config.Line line : lines) {
      String text = line.value().orElse(UNSET);
      out.printf(row, line.setting().key(), text.isEmpty() ? "(empty)" : text, line.by());
    }
  }

  private static int width(List<String> texts, String title) {
    return texts.stream().mapToInt(String::length).reduce(title.length(), Math::max);
  }
}
