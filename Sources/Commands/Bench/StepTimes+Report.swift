import OcellusJSON

extension StepTimes {
  private static let shownSteps = 20

  /// The time of each operator and of the slowest steps, for a person.
  var text: String {
    let rows = rows
    let total = rows.reduce(0) { $0 + $1.milliseconds }
    func cells(_ milliseconds: Double, _ multiplyAdds: Int) -> [String] {
      let share = 100 * milliseconds / max(total, .leastNonzeroMagnitude)
      let rate = Double(multiplyAdds) / max(milliseconds, 1e-9) / 1e6
      return [milliseconds.fixed(4), share.fixed(1)]
        + (multiplyAdds > 0 ? [multiplyAdds.grouped, rate.fixed(1)] : ["", ""])
    }
    let figures: [TextTable.Column] = [
      .right("ms"), .right("%"), .right("multiply-adds"), .right("GMAC/s"),
    ]
    var operators = TextTable(figures + [.right("steps"), .left("operator"), .left("kernel")])
    for group in groups(rows) {
      operators.add(
        cells(group.milliseconds, group.multiplyAdds)
          + ["\(group.steps)", group.operatorName, group.kernelName])
    }
    let multiplyAdds = rows.reduce(0) { $0 + $1.multiplyAdds }
    operators.add(cells(total, multiplyAdds) + ["\(rows.count)", "in all", ""])
    var slowest = TextTable(figures + [.right("node"), .left("operator"), .left("output")])
    for row in rows.prefix(Self.shownSteps) {
      slowest.add(
        cells(row.milliseconds, row.multiplyAdds)
          + [
            row.subgraph == 0 ? "\(row.node)" : "\(row.subgraph):\(row.node)", row.operatorName,
            row.shape,
          ])
    }
    return "\(operators.text())\nThe slowest steps:\n\(slowest.text())"
  }

  /// The steps of one operator on one kernel.
  private struct Group {
    let operatorName: String
    let kernelName: String
    var steps = 0
    var multiplyAdds = 0
    var milliseconds = 0.0

    mutating func add(_ row: StepRow) {
      steps += 1
      multiplyAdds += row.multiplyAdds
      milliseconds += row.milliseconds
    }
  }

  /// The slowest first.
  private func groups(_ rows: [StepRow]) -> [Group] {
    var groups: [[String]: Group] = [:]
    for row in rows {
      groups[
        [row.operatorName, row.kernelName],
        default: Group(operatorName: row.operatorName, kernelName: row.kernelName)
      ].add(row)
    }
    return groups.values.sorted {
      ($1.milliseconds, $0.operatorName, $0.kernelName)
        < ($0.milliseconds, $1.operatorName, $1.kernelName)
    }
  }

  /// Every step in the order of the file, for a program.
  var json: JSONValue {
    .array(
      rows.sorted { ($0.subgraph, $0.node) < ($1.subgraph, $1.node) }.map { row in
        [
          "subgraph": .integer(row.subgraph), "node": .integer(row.node),
          "fused_nodes": .integers(row.fusedNodes), "operator": .string(row.operatorName),
          "kernel": .string(row.kernelName), "output": .string(row.shape),
          "multiply_adds": .integer(row.multiplyAdds), "ms": .number(row.milliseconds),
        ]
      })
  }
}
