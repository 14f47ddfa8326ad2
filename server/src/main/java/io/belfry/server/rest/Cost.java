package io.belfry.server.rest;

/** What it takes to build the answer of a route, before its size is known. */
enum Cost {
  /** Nothing that is counted: it is small, and must always be answered. */
  FREE(0, false),
  /** Some fields, or what its request has told. */
  SMALL(16 << 10, false),
  /** A record with all it has: payload and result are inflated for it. */
  RECORD(2 << 20, false),
  /** A record that may have to be looked for. */
  SEARCH(2 << 20, true),
  /** A page of many, each built by itself, for which much of the store may be read. */
  LIST(2 << 20, true);

  final int bytes;
  final boolean reads;

  Cost(int bytes, boolean reads) {
    this.bytes = bytes;
    this.reads = reads;
  }
}
