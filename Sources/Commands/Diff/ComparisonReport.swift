import OcellusAudit
import OcellusJSON
import OcellusPlatform

/// The results of `diff`, as a table and as JSON.
struct ComparisonReport {
  let first: String
  let second: String
  /// The comparison of the models' files; `nil` if a side is no model.
  let models: ModelComparison?
  /// The signal-to-noise ratio below which nodes count as different; `nil` to compare bits.
  let minimum: Double?
  /// Whether both sides run one graph, so their bits can be equal; `nil` if nothing runs.
  var hasSameGraph: Bool?
  /// Whether the tensors of a side come from another file than the other's.
  var isOfDifferentFiles = false
  var layers: [LayerComparison] = []

  /// Whether both sides are the same model, as far as it is known.
  private var isSameModel: Bool {
    hasSameGraph != false && !isOfDifferentFiles && models?.isSame != false
  }

  /// Whether anything that was asked for is different.
  ///
  /// Two models of different graphs are different by intention, unless only files are compared.
  var isDifferent: Bool {
    if firstDivergent != nil { return true }
    return minimum == nil && hasSameGraph != false && models?.isSame == false
  }

  /// The maximum number of nodes in the table.
  private static let maximumShown = 20

  /// Returns whether a node counts as different by the requested measure.
  private func isDivergent(_ layer: LayerComparison) -> Bool {
    guard let difference = layer.difference else { return true }
    if let minimum { return difference.signalToNoise < minimum }
    return hasSameGraph == true && !difference.isNone
  }

  /// The first node that counts as different.
  var firstDivergent: LayerComparison? { layers.first(where: isDivergent) }

  /// The nodes with a difference, ordered by their own contribution, largest first.
  var worst: [LayerComparison] {
    layers.filter { !($0.difference?.isNone ?? false) }.enumerated().sorted { a, b in
      let (x, y) = (a.element.ownSignalToNoise, b.element.ownSignalToNoise)
      return (x, a.offset) < (y, b.offset)
    }.map(\.element)
  }

  // MARK: For a person

  func text(all: Bool) -> String {
    var text = "\(first) and \(second): \(verdict)".printableInLine + "\n"
    let shown = all ? layers : Array(worst.prefix(Self.maximumShown))
    guard !shown.isEmpty else { return text }
    if !all { text += "\nThe nodes that add most to the difference, the worst first:\n" }
    var table = TextTable([
      .right("node"), .left("operator"), .left("result"), .right("different"), .right("largest"),
      .right("units"), .right("RMS"), .right("SQNR dB"), .right("cosine"), .left("origin"),
      .right("own SQNR"),
    ])
    for layer in shown { table.add(cells(of: layer)) }
    text += table.text(indent: 2)
    let left = worst.count - shown.count
    if !all, left > 0 { text += "  and \(left) more: --all or --json\n" }
    return text
  }

  private var verdict: String {
    guard let divergent = firstDivergent else {
      if minimum == nil, hasSameGraph != true {
        return "\(layers.count) nodes that belong together"
      }
      let same = layers.count { $0.difference?.isNone ?? false }
      guard same == layers.count else {
        return "no node is different: \(same) of \(layers.count) are the same bits"
      }
      return "all \(same) nodes have the same bits" + (isSameModel ? "" : otherModels)
    }
    let difference = divergent.difference.map { difference in
      ": \(difference.differentCount.grouped) of \(difference.elementCount.grouped) elements"
    }
    return "the first node that is different is \(divergent.name(of: divergent.firstNode)) "
      + "(\(divergent.operatorName)) '\(divergent.tensorName)'\(difference ?? ""); "
      + divergent.origin.phrase
  }

  /// What equal bits do not mean.
  private var otherModels: String {
    isOfDifferentFiles
      ? ", although the tensors come from another file"
      : " on these inputs, although the models differ"
  }

  private func cells(of layer: LayerComparison) -> [String] {
    let first = layer.name(of: layer.firstNode)
    let nodeName = layer.firstNode == layer.secondNode ? first : "\(first) = \(layer.secondNode)"
    let head = [nodeName, layer.operatorName, layer.tensorName.shortened(to: 32)]
    guard let difference = layer.difference else {
      return head + ["other extents"] + [String](repeating: "", count: 7)
    }
    let share = 100 * Double(difference.differentCount) / Double(max(difference.elementCount, 1))
    return head + [
      difference.isNone ? "" : "\(share.fixed(2)) %",
      difference.isNone ? "" : "\(Float(difference.maximum))",
      difference.units.map { $0 == 0 ? "" : $0.grouped } ?? "",
      difference.isNone ? "" : "\(Float(difference.rootMeanSquare))",
      difference.signalToNoise.decibels, difference.cosine.fixed(6), layer.origin.rawValue,
      layer.bornDifference?.signalToNoise.decibels ?? "",
    ]
  }

  // MARK: For a program

  var json: JSONValue {
    [
      "schema": "ocellus-diff", "schema_version": 1, "first": .string(first),
      "second": .string(second), "same_model": .bool(isSameModel),
      "models": models?.json ?? .null, "minimum_sqnr": minimum.map { .number($0) } ?? .null,
      "equal_nodes": .integer(layers.count { $0.difference?.isNone ?? false }),
      "first_divergent": .integer(orNull: firstDivergent?.firstNode),
      "first_divergent_subgraph": .integer(orNull: firstDivergent?.subgraph),
      "first_divergent_call": .integer(orNull: firstDivergent?.call),
      "nodes": .array(layers.map(\.json)),
    ]
  }
}

extension LayerComparison {
  /// The signal-to-noise ratio of the node's own contribution, as far as it is known.
  fileprivate var ownSignalToNoise: Double {
    (bornDifference ?? difference)?.signalToNoise ?? -.infinity
  }

  fileprivate var json: JSONValue {
    [
      "subgraph": .integer(subgraph), "call": .integer(call), "first_node": .integer(firstNode),
      "second_node": .integer(secondNode),
      "operator": .string(operatorName), "tensor": .string(tensorName),
      "difference": difference?.json ?? .null, "origin": .string(origin.rawValue),
      "born": bornDifference?.json ?? .null,
    ]
  }
}

extension TensorDifference {
  var json: JSONValue {
    [
      "elements": .integer(elementCount), "different": .integer(differentCount),
      "first_different": .integer(orNull: firstDifferent), "maximum": .number(maximum),
      "units": .integer(orNull: units),
      "rms": .number(rootMeanSquare), "sqnr_db": .number(signalToNoise),
      "cosine": .number(cosine),
    ]
  }
}

extension LayerComparison.Origin {
  /// A phrase for reports.
  fileprivate var phrase: String {
    switch self {
    case .none: "there is nothing"
    case .born: "its operands are the same, so the difference is born here"
    case .inherited:
      "given the same operands it gives the same result: the difference comes from its operands"
    case .both: "its operands differ, and it gives another result even from the same operands"
    case .unknown: "it cannot be computed by itself, so the origin of the difference is unknown"
    }
  }
}

extension Double {
  /// A ratio in decibels; empty if there is no noise.
  var decibels: String { self == .infinity ? "" : fixed(1) }
}
