package import OcellusJSON

extension Profile {
  /// The data that only the page shows: the timeline of a typical run, and the arena.
  package var pictures: JSONObject {
    [
      "timeline": [
        "microseconds": .number(Double(timeline.nanoseconds) / 1e3),
        "runs": .integer(timeline.runs),
        "is_cut_short": .bool(timeline.isCutShort),
        "spans": .array(
          timeline.spans.map { span in
            [
              .integer(span.subgraph), .integer(span.node), .integer(span.thread),
              .integer(span.item ?? -1), .number(Double(span.start) / 1e3),
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
