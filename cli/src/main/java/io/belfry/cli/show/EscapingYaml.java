package io.belfry.cli.show;

import java.io.Writer;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.io.IOContext;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLGenerator;

/**
 * YAML that double-quotes each string which needs escapes, because other YAML styles have no escapes. A Jackson quoting checker cannot do
 * this: Jackson does not call it for multi-line strings.
 *
 * <p>Threading: safe.
 */
final class EscapingYaml extends YAMLFactory {
  private static final long serialVersionUID = 1;

  @Override
  protected YAMLGenerator _createGenerator(ObjectWriteContext context, IOContext io, Writer out) {
    return new YAMLGenerator(
        context,
        io,
        context.getStreamWriteFeatures(_streamWriteFeatures),
        context.getFormatWriteFeatures(_formatWriteFeatures),
        _quotingChecker,
        out,
        _version,
        _dumpSettings) {
      @Override
      protected void _writeScalar(String value, String type, ScalarStyle style) {
        super._writeScalar(
            value, type, Controls.anyLeftRaw(value) ? ScalarStyle.DOUBLE_QUOTED : style);
      }
    };
  }
}
