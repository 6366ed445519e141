import OcellusProof

extension Certificate {
  /// The certificate as a table.
  var text: String {
    var table = TextTable([
      .right("node"), .left("operator"), .left("kernel"), .left(""), .right("compared"), .left(""),
    ])
    for node in nodes {
      table.add([
        node.subgraph == 0 ? "\(node.index)" : "\(node.subgraph).\(node.index)", node.operatorName,
        node.kernel, node.outcomeName, "\(node.comparisonCount)",
        node.argument.map(Self.explanation) ?? node.reason ?? "",
      ])
    }
    let compared = nodes.reduce(0) { $0 + $1.comparisonCount }
    return table.text()
      + "\(provedCount) of \(nodes.count) nodes are proved on \(instructionSet), "
      + "\(refuted.count) refuted; \(compared) results were compared\n"
  }

  private static func explanation(of argument: NodeProof.Argument) -> String {
    switch argument {
    case .everySum: "every sum that inputs lead to"
    case .everyValue: "every value at every place"
    case .everyPair: "every pair of values"
    case .everyPlace: "moves elements, all told apart"
    case .everySelection: "selects an element; each stood out"
    case .everyFloat: "every float but NaNs"
    case .shapeOnly: "depends on shapes only"
    }
  }
}
