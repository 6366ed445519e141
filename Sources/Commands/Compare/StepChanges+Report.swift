import OcellusJSON
import OcellusProfile

extension StepChanges {
  /// Returns a table of the changed steps, after the beginning of its title.
  func text(title: String) -> String {
    let alike =
      common.isCertain
      ? "most steps are \(common.ratio > 1 ? "faster" : "slower"): \(common.text)" : ""
    guard !changes.isEmpty else {
      let others = common.isCertain ? "; none of the \(stepCount) steps differs from that" : ""
      return alike.isEmpty
        ? "\(title)no difference in any of \(stepCount) steps beyond chance\n"
        : "\(title)\(alike)\(others)\n"
    }
    var table = TextTable([
      .left("step"), .right("old ms"), .right("new ms"), .right("difference"),
      .left("old / new, 95 %"),
    ])
    for change in changes {
      table.add([
        change.name.text, change.oldMilliseconds.fixed(4), change.newMilliseconds.fixed(4),
        (change.difference > 0 ? "+" : "") + change.difference.fixed(4), change.speed.text,
      ])
    }
    return
      "\(title)\(alike.isEmpty ? "" : alike + ". ")Steps that differ from the rest:\n\(table.text(indent: 2))"
  }

  /// Returns JSON with the number of steps, the change of most steps, and the changed steps.
  static func json(_ changes: StepChanges?) -> JSONObject {
    [
      "steps_compared": changes.map { .integer($0.stepCount) } ?? .null,
      "most_steps": changes?.common.json ?? .null,
      "steps": .array((changes?.changes ?? []).map(\.json)),
    ]
  }
}

extension StepChanges.Change {
  fileprivate var json: JSONValue {
    [
      "subgraph": .integer(name.subgraph), "node": .integer(name.node),
      "operator": .string(name.operatorName), "old_ms": .number(oldMilliseconds),
      "new_ms": .number(newMilliseconds), "speed": speed.json,
      "probability": .number(probability),
    ]
  }
}
