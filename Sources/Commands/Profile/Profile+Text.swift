import OcellusEngine
import OcellusProfile

/// Tables of steps, for a person.
struct StepTables {
  private let steps: [ProfiledStep]
  private let limits: MachineLimits?
  private let total: Double

  /// Tables of these steps; with limits, how far from them they are.
  init(_ steps: [ProfiledStep], limits: MachineLimits? = nil) {
    self.steps = steps
    self.limits = limits
    total = steps.reduce(0) { $0 + $1.time.median }
  }

  /// What steps can be gathered by.
  enum Grouping: String, CaseIterable {
    /// Operators and kernels together.
    case `operator`
    case kernel
    case layer
  }

  // MARK: Groups

  /// A line for each group, the slowest first, and one for all.
  func groups(by grouping: Grouping) -> String {
    var table = TextTable(
      figureColumns + [.right("steps")]
        + (grouping == .operator
          ? [.left("operator"), .left("kernel")] : [.left(grouping.rawValue)])
    )
    let groups = Dictionary(grouping: steps) { self.names(of: $0, grouping) }
      .map { (names: $0, sum: Sum($1, limits)) }
      .sorted {
        ($1.sum.milliseconds, $0.names.joined()) < ($0.sum.milliseconds, $1.names.joined())
      }
    for group in groups { table.add(cells(group.sum) + ["\(group.sum.count)"] + group.names) }
    let names = grouping == .operator ? ["in all", ""] : ["in all"]
    table.add(cells(Sum(steps, limits)) + ["\(steps.count)"] + names)
    return table.text()
  }

  private func names(of step: ProfiledStep, _ grouping: Grouping) -> [String] {
    switch grouping {
    case .operator: [step.operatorName, step.kernel]
    case .kernel: [step.kernel]
    case .layer: [step.layerName.isEmpty ? "(no name)" : step.layerName]
    }
  }

  /// What steps come to together.
  private struct Sum {
    var count = 0
    var milliseconds = 0.0
    var multiplyAdds = 0
    var byteCount = 0
    /// The least that they could take, as far as there is a limit for them.
    var boundMilliseconds = 0.0

    init(_ steps: [ProfiledStep], _ limits: MachineLimits?) {
      for step in steps {
        count += 1
        milliseconds += step.time.median
        multiplyAdds += step.multiplyAdds
        byteCount += step.byteCount
        boundMilliseconds += limits?.bound(on: step)?.milliseconds ?? 0
      }
    }
  }

  // MARK: Steps

  /// The slowest steps, each with the nodes that it does under it where these are several.
  func slowest(_ count: Int) -> String {
    var table = TextTable(
      figureColumns + [.right("±%"), .right("first ms")]
        + (showsBusy ? [.right("busy %")] : [])
        + (limits == nil ? [] : [.left("bound by")])
        + [.right("node"), .left("operator"), .left("output"), .left("kernel")])
    for step in steps.sorted(by: { $0.time.median > $1.time.median }).prefix(count) {
      table.add(row(step))
      guard step.nodes.count > 1 else { continue }
      for node in step.nodes { table.add(row(node, of: step)) }
    }
    return table.text()
  }

  private var showsBusy: Bool { steps.contains { ($0.busyShare ?? 1) < 1 } }

  private func row(_ step: ProfiledStep) -> [String] {
    cells(Sum([step], limits))
      + [(50 * step.time.spread).fixed(1), step.firstMilliseconds.fixed(4)]
      + (showsBusy ? [step.busyShare.map { (100 * $0).fixed(0) } ?? ""] : [])
      + (limits.map { [$0.bound(on: step)?.name ?? ""] } ?? [])
      + [
        step.subgraph == 0 ? "\(step.node)" : "\(step.subgraph):\(step.node)", step.operatorName,
        step.shape, step.kernel,
      ]
  }

  /// A node under the step that does it: what it adds to the multiply-adds, and what it is.
  private func row(_ node: ProfiledStep.Node, of step: ProfiledStep) -> [String] {
    ["", "", node.multiplyAdds > 0 ? node.multiplyAdds.grouped : "", ""]
      + [String](repeating: "", count: (limits == nil ? 1 : 3) + 2 + (showsBusy ? 1 : 0))
      + ["\(node.index)", "· " + node.operatorName, node.shape, ""]
  }

  // MARK: Figures

  private var figureColumns: [TextTable.Column] {
    [.right("ms"), .right("%"), .right("multiply-adds"), .right("GMAC/s"), .right("GB/s")]
      + (limits == nil ? [] : [.right("of limit")])
  }

  private func cells(_ sum: Sum) -> [String] {
    let time = max(sum.milliseconds, .leastNonzeroMagnitude)
    func rate(_ count: Int) -> String {
      count > 0 && sum.milliseconds > 0 ? (Double(count) / time / 1e6).fixed(1) : ""
    }
    var cells = [
      sum.milliseconds.fixed(4),
      (100 * sum.milliseconds / max(total, .leastNonzeroMagnitude)).fixed(1),
      sum.multiplyAdds > 0 ? sum.multiplyAdds.grouped : "", rate(sum.multiplyAdds),
      rate(sum.byteCount),
    ]
    if limits != nil {
      cells.append(
        sum.boundMilliseconds > 0 ? (100 * sum.boundMilliseconds / time).fixed(0) + " %" : "")
    }
    return cells
  }
}

extension MachineLimits {
  /// One line.
  var text: String {
    let memory = levels.map { "\($0.name) \($0.gigabytesPerSecond.fixed(0))" }
    return "limits (\(instructionSet)): float \(gigaFloatProducts.fixed(0)) GMAC/s, 8-bit "
      + "\(gigaByteProducts.fixed(0)) GMAC/s; reading, GB/s: \(memory.joined(separator: ", "))\n"
  }
}
