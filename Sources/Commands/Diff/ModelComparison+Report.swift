import OcellusAudit
import OcellusJSON
import OcellusPlatform

/// The comparison of two models' files, as a table and as JSON.
extension ModelComparison {
  /// The maximum number of differences in the table.
  private static let maximumShown = 20

  // MARK: For a person

  /// Returns what differs: a line, and a table of the largest differences or of all.
  func text(all: Bool) -> String {
    guard !differences.isEmpty else {
      return "the same graph, constants (\(constantCount.grouped)), options and quantization\n"
    }
    let shown = all ? differences : Array(ranked.prefix(Self.maximumShown))
    var table = TextTable([
      .right("node"), .left("operator"), .left("what"), .left("tensor"), .right("different"),
      .right("largest"), .right("SQNR dB"), .left("first"), .left("second"),
    ])
    for difference in shown { table.add(difference.cells) }
    let left = differences.count - shown.count
    return summary + "\n" + table.text(indent: 2)
      + (left > 0 ? "  and \(left.grouped) more: --all or --json\n" : "")
  }

  /// The differences by kind, and constants by their ratio of signal to noise, the worst first.
  private var ranked: [ModelDifference] {
    let kinds = Dictionary(
      uniqueKeysWithValues: ModelDifference.Aspect.allCases.enumerated().map { ($1, $0) })
    return differences.enumerated().sorted { a, b in
      (kinds[a.element.aspect] ?? 0, a.element.ratio, a.offset)
        < (kinds[b.element.aspect] ?? 0, b.element.ratio, b.offset)
    }.map(\.element)
  }

  // MARK: For a program

  var json: JSONValue {
    [
      "same_graphs": .bool(hasSameGraphs), "constants": .integer(constantCount),
      "differences": .array(differences.map(\.json)),
    ]
  }
}

extension ModelDifference {
  /// The ratio of signal to noise; what cannot be compared comes first.
  fileprivate var ratio: Double { elements?.signalToNoise ?? -.infinity }

  fileprivate var cells: [String] {
    let prefix = place.subgraph == 0 ? "" : "\(place.subgraph):"
    let nodes =
      place.firstNode == place.secondNode
      ? [place.firstNode.map { "\(prefix)\($0)" } ?? ""]
      : [place.firstNode, place.secondNode].map { node in node.map { "\(prefix)\($0)" } ?? "-" }
    let share = elements.map {
      "\($0.differentCount.grouped) of \($0.elementCount.grouped)"
    }
    return [
      nodes.joined(separator: " = "), place.operatorName, aspect.rawValue,
      place.tensorName.shortened(to: 32), share ?? "",
      elements.map { "\(Float($0.maximum))" } ?? "", elements?.signalToNoise.decibels ?? "",
      first.shortened(to: 40), second.shortened(to: 40),
    ]
  }

  fileprivate var json: JSONValue {
    [
      "aspect": .string(aspect.rawValue), "subgraph": .integer(place.subgraph),
      "first_node": .integer(orNull: place.firstNode),
      "second_node": .integer(orNull: place.secondNode),
      "operator": .string(place.operatorName),
      "first_tensor": .integer(orNull: place.firstTensor),
      "second_tensor": .integer(orNull: place.secondTensor), "tensor": .string(place.tensorName),
      "first": .string(first), "second": .string(second),
      "difference": elements?.json ?? .null,
    ]
  }
}
