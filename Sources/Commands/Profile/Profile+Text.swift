import OcellusEngine
import OcellusProfile

/// Tables of steps as text.
struct StepTables {
  private let steps: [ProfiledStep]
  private let limits: MachineLimits?
  private let total: Double

  /// Makes tables of steps; `limits` adds what share of their times the limits of the machine are.
  init(_ steps: [ProfiledStep], limits: MachineLimits? = nil) {
    self.steps = steps
    self.limits = limits
    total = steps.reduce(0) { $0 + $1.time.median }
  }

  /// The ways to group steps.
  enum Grouping: String, CaseIterable {
    /// By operator and kernel.
    case `operator`
    case kernel
    case layer
  }

  // MARK: Groups

  /// Returns a table with a row for each group, slowest first, and a total.
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

  /// The totals of some steps.
  private struct Sum {
    var count = 0
    var milliseconds = 0.0
    var multiplyAdds = 0
    var byteCount = 0
    /// The time at the limits, compared with that of the steps that have one.
    var limit = LimitShare()

    init(_ steps: [ProfiledStep], _ limits: MachineLimits?) {
      for step in steps {
        count += 1
        milliseconds += step.time.median
        multiplyAdds += step.multiplyAdds
        byteCount += step.byteCount
      }
      limit = limits?.share(of: steps) ?? limit
    }
  }

  // MARK: Steps

  /// Returns a table of the slowest steps, with the nodes of fused steps below them.
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
        step.shape, step.kernel + (step.strategyBasis == .measurement ? ", measured" : ""),
      ]
  }

  /// Returns the row of a fused node, with its multiply-adds, operator and shape.
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
      cells.append(sum.limit.share.map { (100 * $0).fixed(0) + " %" } ?? "")
    }
    return cells
  }
}

extension MachineLimits {
  /// The peak rates in one line.
  var text: String {
    let memory = levels.map { "\($0.name) \($0.gigabytesPerSecond.fixed(0))" }
    let quality = isDisturbed ? ", interrupted by other work" : ""
    return
      "limits (\(instructionSet)\(quality)): float \(gigaFloatMultiplyAdds.fixed(0)) GMAC/s, 8-bit "
      + "\(gigaByteMultiplyAdds.fixed(0)) GMAC/s; reading, GB/s: \(memory.joined(separator: ", "))\n"
  }
}
