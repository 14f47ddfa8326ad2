package io.belfry.cli;

import java.util.function.Supplier;
import picocli.CommandLine;

/**
 * A verb that another module adds to the program, such as {@code server}. Threading: immutable.
 *
 * @param description one line for {@code belfry --help}
 * @param line creates the verb; called only if the verb is used
 */
public record PluggedVerb(String name, String description, Supplier<CommandLine> line) {}
