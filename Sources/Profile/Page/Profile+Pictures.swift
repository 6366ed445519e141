package import OcellusJSON

extension Profile {
  /// What only the page shows: one run on all threads, and the arena.
  package var pictures: JSONObject {
    [
      "timeline": [
        "microseconds": .number(Double(timeline.nanoseconds) / 1e3),
        "is_cut_short": .bool(timeline.isCutShort),
        "spans": .array(
          timeline.spans.map { span in
            [
              .integer(span.subgraph), .integer(span.node), .integer(span.thread),
              .integer(span.part ?? -1), .number(Double(span.start) / 1e3),
              .number(Double(span.end - span.start) / 1e3),
            ]
          }),
      ],
      "arena": .array(
        arena.map { tenant in
          .integers([
            tenant.segment, tenant.tensor, tenant.offset, tenant.byteCount, tenant.firstNode,
            tenant.lastNode,
          ])
        }),
    ]
  }
}
