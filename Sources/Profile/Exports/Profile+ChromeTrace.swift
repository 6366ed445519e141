package import OcellusJSON

extension Profile {
  /// A typical run in the Trace Event Format of chrome://tracing and Perfetto, with a row per thread.
  package var chromeTrace: JSONValue {
    let threadCount = (timeline.spans.map(\.thread).max() ?? 0) + 1
    let names: [JSONValue] = (0..<threadCount).map { thread in
      [
        "name": "thread_name", "ph": "M", "pid": 1, "tid": .integer(thread),
        "args": ["name": .string(thread == 0 ? "steps" : "thread \(thread)")],
      ]
    }
    return [
      "displayTimeUnit": "ns",
      "otherData": [
        "run": .string("the median of \(timeline.runs) recorded runs"),
        "microseconds": .number(Double(timeline.nanoseconds) / 1e3),
        "noise": .string(orNull: noise.warning),
      ],
      "traceEvents": .array(
        // A span follows those inside it; viewers expect the order of their starts.
        names + timeline.spans.sorted { ($0.start, $1.end) < ($1.start, $0.end) }.map(\.event)),
    ]
  }
}

extension Timeline.Span {
  /// A complete event with times in microseconds.
  fileprivate var event: JSONValue {
    let nodeName = subgraph == 0 ? "\(node)" : "\(subgraph):\(node)"
    var arguments: JSONObject = ["subgraph": .integer(subgraph), "node": .integer(node)]
    if let item { arguments.append("part", .integer(item)) }
    return [
      "name": .string("\(nodeName) \(operatorName)" + (item.map { " part \($0)" } ?? "")),
      "cat": .string(item == nil ? "step" : "part"), "ph": "X", "pid": 1,
      "tid": .integer(thread), "ts": .number(Double(start) / 1e3),
      "dur": .number(Double(end - start) / 1e3), "args": .object(arguments),
    ]
  }
}
