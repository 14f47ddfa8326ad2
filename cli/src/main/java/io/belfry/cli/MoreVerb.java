package io.belfry.cli;

import java.util.function.Supplier;
import picocli.CommandLine;

/**
 * A verb that another module brings, such as {@code server}. Threading: immutable.
 *
 * @param description one line for the overview, because the verb itself is only made when it is asked for
 */
public record MoreVerb(String name, String description, Supplier<CommandLine> line) {}
