package io.belfry.tests.witness;

import java.util.function.Consumer;

/** What was written, line by line in the order of writing; may be read any number of times. */
@FunctionalInterface
interface Ledger {
  void forEach(Consumer<? super LedgerLine> reader);
}
