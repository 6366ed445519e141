import OcellusAudit
import OcellusEngine
import OcellusPlatform

extension Trace {
  /// A table with a row for every result of every node.
  var text: String {
    var table = TextTable(
      [
        .right("node"), .left("operator"), .left("runs as"), .left("result"), .left("type"),
        .left("shape"),
      ] + columns)
    let hasCalls = nodes.contains { $0.call > 0 }
    for node in nodes {
      // A node in a loop appears once per iteration.
      let nodeName =
        (node.subgraph == 0 ? "\(node.index)" : "\(node.subgraph):\(node.index)")
        + (hasCalls && node.subgraph > 0 ? " run \(node.call + 1)" : "")
      for (position, tensor) in node.outputs.enumerated() {
        let head =
          position == 0 ? [nodeName, node.operatorName, node.execution.description] : ["", "", ""]
        table.add(
          head + ["\(tensor.index) \(tensor.name.shortened(to: 32))", tensor.type.name]
            + ["\(tensor.shape)"] + cells(of: tensor))
      }
    }
    let way = setting.isMaterialized ? "every node by itself" : "as the plan runs"
    return table.text()
      + "nodes: \(nodes.count), \(way), kernels: \(setting.instructionSet)\n"
  }

  private var showsStatistics: Bool { setting.level == .stats || setting.level == .full }
  private var showsDigests: Bool { setting.level == .digest || setting.level == .full }

  private var columns: [TextTable.Column] {
    (showsStatistics
      ? [.right("minimum"), .right("maximum"), .right("mean"), .right("saturated"), .left("odd")]
      : [])
      + (showsDigests ? [.left("digest")] : [])
  }

  private func cells(of tensor: TensorTrace) -> [String] {
    var cells: [String] = []
    if showsStatistics {
      let statistics = tensor.statistics
      cells += [statistics?.minimum, statistics?.maximum, statistics?.mean].map { number in
        number.map { "\(Float($0))" } ?? ""
      }
      let share = statistics?.saturatedShare ?? 0
      cells.append(share > 0 ? "\((100 * share).fixed(1)) %" : "")
      cells.append(tensor.isInMemory ? statistics?.oddities ?? "" : "not in memory")
    }
    if showsDigests { cells.append(tensor.digest.map { String($0.hexadecimal.prefix(16)) } ?? "") }
    return cells
  }
}

extension TensorStatistics {
  /// Unusual properties that deserve attention.
  fileprivate var oddities: String {
    var words: [String] = []
    if nanCount > 0 { words.append("\(nanCount.grouped) NaN") }
    if infinityCount > 0 { words.append("\(infinityCount.grouped) infinite") }
    if elementCount > 1, minimum == maximum, nanCount == 0 { words.append("all the same") }
    return words.joined(separator: ", ")
  }
}

extension String {
  /// Returns the text, with its middle elided if it is too long.
  func shortened(to count: Int) -> String {
    self.count <= count ? self : "\(prefix(count / 2 - 1))…\(suffix(count - count / 2))"
  }
}
