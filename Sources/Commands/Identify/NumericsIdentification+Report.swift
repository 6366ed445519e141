import OcellusJSON
import OcellusPlatform

/// The answer as text and as JSON.
extension NumericsIdentification {
  var text: String {
    var table = TextTable([
      .left("numerics"), .left("reproduces"), .right("different"), .right("of"),
      .right("by at most"),
    ])
    for candidate in candidates {
      table.add([
        candidate.name, candidate.reproduces ? "yes" : "no", "\(candidate.differentCount)",
        "\(candidate.elementCount)",
        candidate.reproduces ? "" : "\(Float(candidate.greatestDifference))",
      ])
    }
    return verdict + "\n\n" + table.text(indent: 2) + partingLines
  }

  private var verdict: String {
    switch reproducing.count {
    case 0:
      "None of these rules reproduces the output: another runtime, version or processor computed it, "
        + "or from another input."
    case 1: "The output was computed with '\(reproducing[0])'."
    default:
      "The output was computed with one of: \(reproducing.joined(separator: ", ")). This input cannot "
        + "tell them apart."
    }
  }

  private var partingLines: String {
    partings.isEmpty
      ? ""
      : "\n"
        + partings.map { parting in
          let node =
            parting.subgraph == 0 ? "\(parting.node)" : "\(parting.subgraph):\(parting.node)"
          return "  '\(parting.first)' and '\(parting.second)' part at node \(node) "
            + "(\(parting.operatorName)).\n"
        }.joined()
  }

  var json: JSONValue {
    var object = Program.signature(of: "identify")
    object.append("reproducing", .array(reproducing.map { .string($0) }))
    object.append(
      "candidates",
      .array(
        candidates.map { candidate in
          [
            "numerics": .string(candidate.name), "reproduces": .bool(candidate.reproduces),
            "elements": .integer(candidate.elementCount),
            "different": .integer(candidate.differentCount),
            "greatest_difference": candidate.greatestDifference.isFinite
              ? .number(candidate.greatestDifference) : .null,
          ]
        }))
    object.append(
      "partings",
      .array(
        partings.map { parting in
          [
            "numerics": .array([.string(parting.first), .string(parting.second)]),
            "subgraph": .integer(parting.subgraph), "node": .integer(parting.node),
            "operator": .string(parting.operatorName),
          ]
        }))
    return .object(object)
  }
}
